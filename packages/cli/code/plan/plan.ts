import { isDeepStrictEqual } from "node:util";
import type { Client } from "@avow/client";
import type { JsonObject } from "@avow/contract/json";
import type { FileDocument, ProjectTree } from "../files/load.ts";
import { type Kind, type WireDocument, kinds } from "../files/kinds.ts";
import { type FieldChange, listChanges } from "./differences.ts";
import { type Pair, matchDocuments } from "./matching.ts";
import { type Draft, type Publication, previewPublication } from "./publication.ts";
import { withVendorsOf } from "./references.ts";
import { type StoredDocument, type StoredProject, toStored } from "./stored.ts";
import {
  type KnownVendors,
  assertVendorsKnown,
  namesChangedVendor,
  toKnownVendors,
  withVendorsInline,
} from "./vendors.ts";

/** One change of a document. */
export type Change = { kind: Kind; name: string; language: string | undefined } & (
  | { action: "create"; file: FileDocument }
  | { action: "update"; file: FileDocument; stored: StoredDocument; fields: FieldChange[] }
  | { action: "delete"; stored: StoredDocument }
);

/** The changes of one project, in the order in which they are made. */
export interface ProjectPlan {
  folder: string;
  title: string;
  /** The stored project; undefined for one that the plan creates. */
  stored: StoredProject | undefined;
  changes: Change[];
  /** Stored documents without a file, which stay. */
  kept: StoredDocument[];
  vendors: KnownVendors;
  /** Undefined for a new project, and for changes too large for a preview. */
  publication: Publication | undefined;
}

/** The plan of a tree. */
export interface Plan {
  /** The organization of the tree, if its projects are of one. */
  organizationId: string | undefined;
  /** Changes of the organization's vendors. */
  shared: { changes: Change[]; kept: StoredDocument[]; vendors: KnownVendors };
  projects: ProjectPlan[];
}

export function listAllChanges({ shared, projects }: Plan): Change[] {
  return [...shared.changes, ...projects.flatMap(({ changes }) => changes)];
}

/** The changes of an organization's own vendors. */
export function planSharedVendors(
  files: readonly FileDocument[],
  stored: readonly StoredDocument[],
  prune: boolean,
): Plan["shared"] {
  const { pairs, rest } = matchDocuments(files, stored);
  const vendors = toKnownVendors(pairs, stored, new Map(), isRawChange);
  return { changes: toChanges(pairs, prune ? rest : []), kept: prune ? [] : rest, vendors };
}

/** Compares the files of a project with the service. @throws FilesError, Problem */
export async function planProject(
  client: Client,
  {
    tree,
    stored,
    shared,
    prune,
  }: {
    tree: ProjectTree;
    stored: StoredProject | undefined;
    shared: KnownVendors;
    prune: boolean;
  },
  signal: AbortSignal,
): Promise<ProjectPlan> {
  const { pairs, rest } = matchDocuments(tree.documents, stored?.documents ?? []);
  const all = [{ file: tree.project, stored: stored?.project }, ...pairs];
  const vendors = toKnownVendors(pairs, stored?.documents ?? [], shared, isRawChange);
  assertVendorsKnown(pairs, vendors);
  const removed = prune ? rest : [];
  const own = { folder: tree.folder, title: tree.project.name, stored, vendors };
  const kept = prune ? [] : rest;
  if (!stored) return { ...own, kept, changes: toChanges(all, removed), publication: undefined };
  const preview = await previewPublication(
    client,
    {
      projectId: stored.id,
      drafts: toDrafts(all, stored, vendors),
      removed: removed.flatMap(({ kind, id }) => (kind.kind === "vendor" ? [] : [id])),
    },
    signal,
  );
  const compared = preview
    ? withSavedBodies(all, toDrafts(all, stored, vendors), preview.bodies)
    : all;
  const changes = toChanges(compared, removed);
  return { ...own, kept, changes, publication: preview?.publication };
}

function isRawChange({ file, stored }: Pair): boolean {
  return !stored || !isDeepStrictEqual(stored.value, toComparable(file.value));
}

/** The changed documents that a publication contains, and banners with changed vendors. */
function toDrafts(pairs: readonly Pair[], stored: StoredProject, vendors: KnownVendors): Draft[] {
  return pairs.flatMap((pair) => {
    const { file } = pair;
    if (file.kind.kind === "vendor") return [];
    if (!isRawChange(pair) && !namesChangedVendor(file, vendors)) return [];
    const parents =
      file.kind.kind === "project"
        ? { organizationId: stored.organizationId }
        : { projectId: stored.id };
    return [
      { file, id: pair.stored?.id, body: { ...withVendorsInline(file, vendors), ...parents } },
    ];
  });
}

/** A pair whose file's value may be replaced by what the service would store, such as sanitized HTML. */
type SavedPair = Pair & { saved?: JsonObject };

function withSavedBodies(
  pairs: readonly Pair[],
  drafts: readonly Draft[],
  bodies: readonly JsonObject[],
): SavedPair[] {
  return pairs.map((pair) => {
    const at = drafts.findIndex(({ file }) => file === pair.file);
    const body = bodies[at];
    if (!body) return pair;
    const { kind, value } = pair.file;
    const document = { ...body, id: "", version: 0 } as WireDocument;
    const saved = toStored(kind, document, new Map()).value;
    return { ...pair, saved: withVendorsOf(kind, saved, value) };
  });
}

function toChanges(pairs: readonly SavedPair[], removed: readonly StoredDocument[]): Change[] {
  const changes = [
    ...pairs.flatMap(({ file, stored, saved }): Change[] => {
      const { kind, name, language } = file;
      const own = { kind, name, language };
      if (!stored) return [{ ...own, action: "create", file }];
      const fields = listChanges(stored.value, saved ?? toComparable(file.value));
      return fields.length === 0 ? [] : [{ ...own, action: "update", file, stored, fields }];
    }),
    ...removed.map((stored): Change => {
      const { kind, name, language } = stored;
      return { kind, name, language, action: "delete", stored };
    }),
  ];
  return changes.toSorted((a, b) => kinds.indexOf(a.kind) - kinds.indexOf(b.kind));
}

/** The value of a file without what only says how to find its document. */
function toComparable(value: JsonObject): JsonObject {
  const { renamedFrom: _, ...own } = value;
  return own;
}

import { isDeepStrictEqual } from "node:util";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Client } from "@avow/client";
import type { JsonObject } from "@avow/contract/json";
import type { Progress } from "../terminal/progress.ts";
import { type FileDocument, type Tree, loadTree } from "./files/load.ts";
import { MissingTreeError, readTree } from "./files/read-tree.ts";
import { toFileName, writeFileInside } from "./files/write-file.ts";
import { rewriteYaml, toYaml } from "./files/yaml-file.ts";
import { matchDocuments } from "./plan/matching.ts";
import { listChanges } from "./plan/differences.ts";
import { describe } from "./plan/report.ts";
import {
  type StoredDocument,
  type StoredProject,
  listStoredProjects,
  readProject,
  readSharedVendors,
} from "./plan/stored.ts";

/** The numbers of files of a pull. */
export interface PullCounts {
  written: number;
  unchanged: number;
}

interface PullContext {
  root: string;
  progress: Progress;
  pulled: PullCounts;
}

/** The tree of a folder; undefined if it has no files of configuration yet. @throws FilesError */
export async function findTree(root: string): Promise<Tree | undefined> {
  try {
    const { files, faults } = await readTree(root);
    if (files.length + faults.length === 0) return undefined;
  } catch (error) {
    if (error instanceof MissingTreeError) return undefined;
    throw error;
  }
  return loadTree(root);
}

/** Writes a project's documents into the files of a tree. Files that say the same are not touched. */
export async function pullProject(
  client: Client,
  projectId: string,
  { root, progress, tree, signal }: PullOptions,
): Promise<PullCounts> {
  const pulling = { root, progress, pulled: { written: 0, unchanged: 0 } };
  const { organizationId } = await readProject(client, projectId, [], signal);
  const shared = await readSharedVendors(client, organizationId, signal);
  const stored = await readProject(client, projectId, shared, signal);
  const [present] = tree && !tree.isOrganization ? tree.projects : [];
  await writeProject(pulling, stored, {
    folder: "",
    files: present ? [present.project, ...present.documents] : [],
  });
  return pulling.pulled;
}

export interface PullOptions {
  root: string;
  progress: Progress;
  tree: Tree | undefined;
  signal: AbortSignal;
}

/** Writes all projects of an organization, and the vendors that they share. */
export async function pullOrganization(
  client: Client,
  organizationId: string,
  { root, progress, tree, signal }: PullOptions,
): Promise<PullCounts> {
  const pulling = { root, progress, pulled: { written: 0, unchanged: 0 } };
  const shared = await readSharedVendors(client, organizationId, signal);
  await writeDocuments(pulling, shared, { folder: "", files: tree?.vendors ?? [] });
  const taken = new Set(tree?.projects.map(({ folder }) => folder));
  for (const { id, title } of await listStoredProjects(client, organizationId, signal)) {
    const stored = await readProject(client, id, shared, signal);
    const present = tree?.projects.find(
      ({ project }) => project.name === title || project.renamedFrom === title,
    );
    const folder = present?.folder ?? toFree(`projects/${toFileName(String(title))}`, "", taken);
    taken.add(folder);
    await writeProject(pulling, stored, {
      folder,
      files: present ? [present.project, ...present.documents] : [],
    });
  }
  return pulling.pulled;
}

interface Place {
  folder: string;
  files: readonly FileDocument[];
}

async function writeProject(
  pulling: PullContext,
  { project, documents }: StoredProject,
  { folder, files }: Place,
): Promise<void> {
  const [own, rest] = [
    files.filter(({ kind }) => kind.kind === "project"),
    files.filter(({ kind }) => kind.kind !== "project"),
  ];
  await writeDocument(pulling, project, own[0], folder === "" ? "project" : `${folder}/project`);
  await writeDocuments(pulling, documents, { folder, files: rest });
}

async function writeDocuments(
  pulling: PullContext,
  stored: readonly StoredDocument[],
  { folder, files }: Place,
): Promise<void> {
  const { pairs } = matchDocuments(files, stored);
  const taken = new Set(files.map(({ file }) => file.replace(/\.\w+$/, "")));
  for (const one of stored) {
    const file = pairs.find((pair) => pair.stored === one)?.file;
    if (file) await writeDocument(pulling, one, file, "");
    else if (findInPlace(one, stored) === one)
      await writeDocument(pulling, one, undefined, toStem(one, folder, taken));
    else pulling.progress.say(`! a second ${describe(one)} is not written: ${one.id}`);
  }
  for (const { file } of pairs.filter((pair) => !pair.stored))
    pulling.progress.say(`! ${file.file} has no document on the service`);
}

/** The document that a file stands for, if several have the same identity. */
function findInPlace({ kind, name, language }: StoredDocument, stored: readonly StoredDocument[]) {
  const same = stored.filter(
    (one) =>
      one.kind === kind && one.name === name && (!kind.isTranslated || one.language === language),
  );
  return kind.identity === undefined ? same.at(-1) : same[0];
}

/** The path of a new file, without its ending. */
function toStem(
  { kind, name, language }: StoredDocument,
  folder: string,
  taken: Set<string>,
): string {
  const spoken = kind.isTranslated && language !== undefined ? `-${toFileName(language)}` : "";
  const place = kind.folder ?? "";
  const parts = [folder, place, kind.folder === undefined ? kind.file : toFileName(name)];
  const stem = parts.filter((part) => part !== "").join("/");
  return toFree(stem, taken.has(stem) ? spoken : "", taken);
}

/** A path that no other file has, which is then taken. */
function toFree(stem: string, suffix: string, taken: Set<string>): string {
  let free = stem + suffix;
  for (let n = 2; taken.has(free); n += 1) free = `${stem}${suffix}-${n}`;
  taken.add(free);
  return free;
}

async function writeDocument(
  { root, progress, pulled }: PullContext,
  stored: StoredDocument,
  file: FileDocument | undefined,
  stem: string,
): Promise<void> {
  const value = toOrdered(stored);
  if (!file) {
    await writeFileInside(root, `${stem}.yaml`, toYaml(value));
    pulled.written += 1;
    progress.say(`+ ${stem}.yaml`);
    return;
  }
  const { renamedFrom: _, ...present } = file.value;
  if (isDeepStrictEqual(present, value)) {
    pulled.unchanged += 1;
    return;
  }
  if (file.file.endsWith(".ts")) {
    const fields = listChanges(present, value).map(({ path }) => path);
    progress.say(`! ${file.file} is code: change it by hand (${fields.slice(0, 5).join(", ")})`);
    return;
  }
  const text = await readFile(join(root, file.file), "utf8");
  await writeFileInside(root, file.file, rewriteYaml(text, value));
  pulled.written += 1;
  progress.say(`~ ${file.file}`);
}

/** The value with its name first. */
function toOrdered({ kind, value, name }: StoredDocument): JsonObject {
  return kind.identity === undefined ? value : { [kind.identity]: name, ...value };
}

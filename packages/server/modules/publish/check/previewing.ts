import type { JsonObject } from "@avow/contract/json";
import type { Scope } from "../../../kernel/actor.ts";
import { newDocumentId } from "../../../kernel/ids.ts";
import { Fault, type FieldFault, assertNoFaults } from "../../../platform/errors.ts";
import { type DocumentRow, type ProjectRow, getProject } from "../../vault/documents/access.ts";
import { sanitizeFields } from "../../vault/schemas/html-fields.ts";
import { readInput } from "../../vault/schemas/input.ts";
import { resourceOf } from "../../vault/schemas/resources.ts";
import { type Vault, findBodyFaults } from "../../vault/documents/vault.ts";
import type { Check } from "./rules/rules.ts";
import { type CheckServices, checkNext } from "./checking.ts";
import type { Content } from "@avow/contract/published";
import { type AsksAgain, assignNextDigests } from "../publications/materiality.ts";
import { countAsksAgain, readNext } from "./next.ts";
import type { Drafting } from "../publications/reading.ts";
import { toSources } from "../content/content.ts";
import type { Publishing } from "../publications/publishing.ts";
import type { configurationResources } from "../../vault/schemas/resources.ts";
import { readTcf } from "../tcf/vendor-list.ts";
import { withWidget } from "../content/widget-content.ts";

/** An unsaved state of a stored document, or a document that does not exist yet. */
export type Draft = { body: JsonObject } & (
  | { id: string }
  | { id?: never; collection: (typeof configurationResources)[number] }
);

export type PreviewServices = CheckServices &
  Pick<Publishing, "buckets" | "widget"> &
  Pick<Vault, "checks">;

/** The next publication of a project with drafts. */
interface Preview extends Check {
  content: Content;
  /** As approvals name it. */
  toDigest: () => string;
  asksAgain: AsksAgain;
  /** The drafts in their order, as they would be stored. */
  documents: { body: JsonObject }[];
}

/**
 * Builds and checks the content that would be published with drafts of the project and its configurations, and
 * without the documents `removed`. Saves and publishes nothing.
 * @throws Fault not-found (the project), invalid (an invalid draft, each fault under `/documents/N/body`; an id of
 *   another project's document), impossible when no content can be built
 */
export async function previewProject(
  app: PreviewServices,
  scope: Scope,
  request: { projectId: string; drafts: readonly Draft[]; removed: readonly string[] },
): Promise<Preview> {
  const { projectId } = request;
  const project = await getProject(app.db, scope, projectId);
  const target = { projectId, environment: "production" } as const;
  const { assertAllUsed, listDocuments, ...drafting } = openDrafts(app, { ...request, project });
  const { content, tcf: settings, toDigest } = await readNext(app, target, drafting);
  assertAllUsed();
  const { tcf } = await readTcf(app, content, settings);
  const offers = await assignNextDigests(
    (await app.buckets.of(projectId)).data,
    projectId,
    toSources(content),
  );
  return {
    ...(await checkNext(app, drafting.toDrafted(project), content)),
    content: withWidget(content, { hash: app.widget.hash, tcf, offers }),
    toDigest,
    asksAgain: await countAsksAgain(app, projectId, offers),
    documents: listDocuments(),
  };
}

function openDrafts(
  app: Pick<Vault, "checks"> & Pick<CheckServices, "now">,
  {
    project,
    drafts,
    removed,
  }: { project: ProjectRow; drafts: readonly Draft[]; removed: readonly string[] },
): Drafting & { assertAllUsed: () => void; listDocuments: () => Preview["documents"] } {
  const used = new Map<number, { body: JsonObject }>();
  const missing = new Set(removed);
  /** A row with the body of a draft, as it would be stored. @throws Fault invalid */
  const toRow = <R extends DocumentRow>(at: number, row: R, present: R | undefined): R => {
    const input = readInput(resourceOf(row.resource), drafts[at]?.body ?? {}, { present });
    const body = structuredClone(input.body);
    const faults = findBodyFaults(app, row.resource, body);
    assertNoFaults(
      faults.map(({ path, message }) => ({ path: `/documents/${at}/body${path}`, message })),
    );
    sanitizeFields(row.resource, body);
    used.set(at, { body });
    return { ...row, body };
  };
  const toDrafted = <R extends DocumentRow>(row: R): R => {
    const at = drafts.findIndex(({ id }) => id === row.id);
    return at === -1 ? row : toRow(at, row, row);
  };
  return {
    toDrafted,
    toDraftedList: (rows) => [
      ...rows.filter(({ id }) => !missing.delete(id)).map((row) => toDrafted(row)),
      ...drafts.flatMap((draft, at) =>
        draft.id === undefined
          ? [toRow(at, toNewRow(project, draft.collection, app.now()), undefined)]
          : [],
      ),
    ],
    listDocuments: () =>
      drafts.flatMap((_, at) => {
        const document = used.get(at);
        return document ? [document] : [];
      }),
    /** @throws Fault invalid when a draft or a removed id is of no document of the project */
    assertAllUsed: (): void => {
      const message = "is no document of the project";
      const faults: FieldFault[] = [
        ...drafts.flatMap((_, at) =>
          used.has(at) ? [] : [{ path: `/documents/${at}/id`, message }],
        ),
        ...removed.flatMap((id, at) =>
          missing.has(id) ? [{ path: `/removed/${at}`, message }] : [],
        ),
      ];
      if (faults.length > 0)
        throw new Fault("invalid", "A draft belongs to another project, or is given twice.", {
          faults,
        });
    },
  };
}

/** A document that only a preview has. */
function toNewRow({ id, ...project }: ProjectRow, resource: string, now: Date): DocumentRow {
  return {
    ...project,
    id: newDocumentId(now),
    resource,
    project_id: id,
    body: {},
    version: 1,
    created_at: now,
    updated_at: now,
    live_version: null,
    published_at: null,
  };
}

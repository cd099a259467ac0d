import { type TcfSettings, isDocumentOf } from "@avow/contract/configuration";
import { Fault } from "../../../platform/errors.ts";
import {
  type DocumentRow,
  getProject,
  listConfigurations,
  listVendorsOfProject,
  sumDocumentBytes,
} from "../../vault/documents/access.ts";
import type { Content } from "@avow/contract/published";
import { type Imprint, toContent, toRestoredContent } from "../content/content.ts";
import type { Db, Tx } from "../../../platform/db/db.ts";
import { findNewestPublication, findPublishedContent } from "./publications-store.ts";
import type { Publishing } from "./publishing.ts";
import { type JobRow, type Target, readSnapshot } from "./store.ts";
import { vendorIdsOf, resolveVendors } from "../content/vendors.ts";

/** Limit for every plan: more would slow down every visitor, and this process. */
const SOURCE_BYTES_MAX = 8 * 1024 * 1024;

/** A content, the project's current TCF settings, and the vault's versions of the configurations by id. */
export interface ContentSource {
  content: Content;
  tcf: TcfSettings | undefined;
  versions: ReadonlyMap<string, number>;
}

/** Puts unsaved drafts in the place of stored documents. */
export interface Drafting {
  toDrafted: <R extends DocumentRow>(row: R) => R;
  /** Also adds new configurations, and leaves removed ones out. */
  toDraftedList: (rows: readonly DocumentRow[]) => DocumentRow[];
}

/**
 * Step 1: reads all configurations of the project in one snapshot, as one content; for a rollback, the
 * content of the requested version. `drafting` replaces stored documents by drafts.
 * @throws Fault not-found (the project was deleted), impossible (too much)
 */
export async function readContent(
  app: Pick<Publishing, "db">,
  job: Pick<JobRow, "project_id" | "environment" | "rollback_of">,
  imprint: Imprint,
  drafting?: Drafting,
): Promise<ContentSource> {
  return readSnapshot(app.db, (tx) => readSource(tx, job, imprint, drafting));
}

/** The same in an open transaction. */
export async function readSource(
  tx: Tx,
  job: Pick<JobRow, "project_id" | "environment" | "rollback_of">,
  imprint: Imprint,
  drafting?: Drafting,
): Promise<ContentSource> {
  const { project_id: projectId, environment, rollback_of: version } = job;
  const stored = await getProject(tx, { kind: "system" }, projectId);
  const project = drafting ? drafting.toDrafted(stored) : stored;
  if (version !== null) {
    const text = await findPublishedContent(tx, { projectId, environment }, version);
    if (text === undefined) throw new Error(`publication ${projectId} ${version} is missing`);
    const current = await listConfigurations(tx, projectId);
    return {
      content: toRestoredContent(text, imprint, project.body, current),
      tcf: undefined,
      versions: new Map(),
    };
  }
  assertReadable(await sumDocumentBytes(tx, projectId));
  const saved = (await listConfigurations(tx, projectId)).toSorted(byCreation);
  const configurations = drafting ? drafting.toDraftedList(saved) : saved;
  const ids = vendorIdsOf(configurations);
  const vendors = await listVendorsOfProject(tx, projectId, ids);
  const content = toContent(project, resolveVendors(configurations, vendors), imprint);
  return {
    content,
    tcf: configurations.findLast((row) => isDocumentOf(row, "tcf"))?.body,
    versions: new Map(configurations.map((row) => [row.id, row.version])),
  };
}

/** The content of a target's live version, as of now sanitized and named; undefined if it has none. */
export async function findLiveContent(
  db: Db,
  { projectId, environment }: Target,
  imprint: Imprint,
): Promise<Content | undefined> {
  const target = { projectId, environment };
  const project = await getProject(db, { kind: "system" }, projectId);
  const version =
    environment === "production"
      ? project.live_version
      : (await findNewestPublication(db, target))?.version;
  if (version === null || version === undefined) return undefined;
  const text = await findPublishedContent(db, target, version);
  if (text === undefined) return undefined;
  return toRestoredContent(text, imprint, project.body, await listConfigurations(db, projectId));
}

function assertReadable(bytes: number): void {
  if (bytes <= SOURCE_BYTES_MAX) return;
  const sizes = `${bytes.toLocaleString("en-US")} bytes; ${SOURCE_BYTES_MAX.toLocaleString("en-US")}`;
  throw new Fault(
    "impossible",
    `The project's configurations have ${sizes} can be published. Delete those that are not used.`,
  );
}

/** Ids of the same second are unordered, but a file's order must be the same at every publication. */
function byCreation(a: DocumentRow, b: DocumentRow): number {
  return a.created_at.getTime() - b.created_at.getTime() || (a.id < b.id ? -1 : 1);
}

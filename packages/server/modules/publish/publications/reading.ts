import { type TcfSettings, isDocumentOf } from "@avow/contract/configuration";
import { Fault } from "../../../platform/errors.ts";
import {
  type DocumentRow,
  getProject,
  listConfigurations,
  listDocumentsById,
  sumDocumentBytes,
} from "../../vault/documents/access.ts";
import type { Content } from "@avow/contract/published";
import { type Imprint, toContent, toRestoredContent } from "../content/content.ts";
import { findPublishedContent } from "./publications-store.ts";
import type { Publishing } from "./publishing.ts";
import { type JobRow, readSnapshot } from "./store.ts";
import { vendorIdsOf, resolveVendors } from "../content/vendors.ts";

/** Limit for every plan: more would slow down every visitor, and this process. */
const SOURCE_BYTES_MAX = 8 * 1024 * 1024;

/** A content, and the project's current TCF settings. */
export interface ContentSource {
  content: Content;
  tcf: TcfSettings | undefined;
}

/**
 * Step 1: reads all configurations of the project in one snapshot, as one content; for a rollback, the
 * content of the requested version. `toDrafted` replaces stored documents by drafts.
 * @throws Fault not-found (the project was deleted), impossible (too much, a missing vendor)
 */
export async function readContent(
  app: Pick<Publishing, "db">,
  job: Pick<JobRow, "project_id" | "environment" | "rollback_of">,
  imprint: Imprint,
  toDrafted: <R extends DocumentRow>(row: R) => R = (row) => row,
): Promise<ContentSource> {
  const { project_id: projectId, environment, rollback_of: version } = job;
  return readSnapshot(app.db, async (tx) => {
    const project = toDrafted(await getProject(tx, { kind: "system" }, projectId));
    if (version !== null) {
      const text = await findPublishedContent(tx, { projectId, environment }, version);
      if (text === undefined) throw new Error(`publication ${projectId} ${version} is missing`);
      return { content: toRestoredContent(text, imprint), tcf: undefined };
    }
    assertReadable(await sumDocumentBytes(tx, projectId));
    const configurations = (await listConfigurations(tx, projectId))
      .toSorted(byCreation)
      .map((row) => toDrafted(row));
    const ids = vendorIdsOf(configurations);
    const vendors = await listDocumentsById(tx, { resource: "vendors", ids });
    const content = toContent(project, resolveVendors(configurations, vendors), imprint);
    return { content, tcf: configurations.findLast((row) => isDocumentOf(row, "tcf"))?.body };
  });
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

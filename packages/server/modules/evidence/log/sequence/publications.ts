import type { Db, Tx } from "../../../../platform/db/db.ts";
import { type DocumentRow, findContent, findDocument, insertDocument } from "../store.ts";

/** The environment that visitors are shown: records name its versions. */
const SHOWN = "production";

/** What of a publication is committed to. */
export interface PublicationFacts {
  projectId: string;
  environment: string;
  version: number;
  /** SHA-256 of the content, in hexadecimal digits. */
  hash: string;
  /** Of the content that is hashed, in bytes. Entries before say that of the served file. */
  sizeBytes: number;
  publishedAt: Date;
}

/** A version that visitors are shown. */
interface ShownVersion {
  projectId: string;
  version: number;
}

/** What a publication's document is called in its project. */
function toName(environment: string, version: number): string {
  return `publication/${environment}/${version}`;
}

/** Tells the log of a publication, in the transaction that makes it; again does nothing. */
export async function commitPublication(tx: Tx, publication: PublicationFacts): Promise<void> {
  const { projectId, environment, version, hash, sizeBytes, publishedAt } = publication;
  await insertDocument(tx, {
    projectId,
    name: toName(environment, version),
    document: {
      type: "publication",
      v: 1,
      projectId,
      environment,
      version,
      hash,
      size: sizeBytes,
      publishedAt: publishedAt.toISOString(),
    },
  });
}

/** What the log was told of a version that visitors are shown, and its place. */
export function findPublication(
  db: Db | Tx,
  { projectId, version }: ShownVersion,
): Promise<DocumentRow | undefined> {
  return findDocument(db, projectId, toName(SHOWN, version));
}

/** What was published as a version that visitors are shown. */
export function findPublishedContent(db: Db, shown: ShownVersion): Promise<string | undefined> {
  return findContent(db, { ...shown, environment: SHOWN });
}

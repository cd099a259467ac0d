import type { DataDb, DataTx, Db } from "../../../../platform/db/db.ts";
import { findContent } from "../contents-store.ts";
import { type DocumentRow, findDocument, insertDocument } from "../store.ts";

/** The environment of the versions shown to visitors, which records refer to. */
const SHOWN = "production";

/** The fields of a publication that the log commits to. */
export interface PublicationFacts {
  projectId: string;
  environment: string;
  version: number;
  /** SHA-256 of the content, in hexadecimal digits. */
  hash: string;
  /** Size of the hashed content. Old entries have the size of the served file. */
  sizeBytes: number;
  publishedAt: Date;
}

/** A version shown to visitors. */
interface ShownVersion {
  projectId: string;
  version: number;
}

/** The name of a publication's document in its project. */
export function toName(environment: string, version: number): string {
  return `publication/${environment}/${version}`;
}

/** Queues a publication for the log once it is published. Idempotent: a step of the publication. */
export async function commitPublication(tx: DataTx, publication: PublicationFacts): Promise<void> {
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

/** The log document of a version shown to visitors. */
export function findPublication(
  db: DataDb | DataTx,
  { projectId, version }: ShownVersion,
): Promise<DocumentRow | undefined> {
  return findDocument(db, projectId, toName(SHOWN, version));
}

/** The published content of a version shown to visitors. */
export function findPublishedContent(db: Db, shown: ShownVersion): Promise<string | undefined> {
  return findContent(db, { ...shown, environment: SHOWN });
}

import type { Tx } from "../../platform/db/db.ts";
import { insertDocument } from "./store.ts";

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

/** What a publication's document is called in its project. */
export function publicationName(environment: string, version: number): string {
  return `publication/${environment}/${version}`;
}

/** Tells the log of a publication, in the transaction that makes it; again does nothing. */
export async function commitPublication(tx: Tx, publication: PublicationFacts): Promise<void> {
  const { projectId, environment, version, hash, sizeBytes, publishedAt } = publication;
  await insertDocument(tx, {
    projectId,
    name: publicationName(environment, version),
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

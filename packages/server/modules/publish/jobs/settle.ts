import { planesOf } from "../../../platform/db/buckets/buckets.ts";
import { inTransaction } from "../../../platform/db/transaction.ts";
import { syncProject } from "../../consents/offers/projects.ts";
import { commitPublication } from "../../evidence/log/sequence/publications.ts";
import { findPublicationFacts } from "../publications/publications-store.ts";
import type { Publishing } from "../publications/publishing.ts";
import type { Target } from "../publications/store.ts";

/** The queue that finishes publications in the data plane; its data is a `SettledVersion`. */
export const SETTLE_QUEUE = "publish-settle";

export interface SettledVersion extends Target {
  version: number;
}

/**
 * Finishes a publication in the data plane, after its commit in the control plane: queues its entry of the log, and has
 * collection follow the live version. Idempotent. The publish job does so at once; a job of its own, sent in the
 * transaction of the publication, does it if that worker dies.
 */
export async function settlePublication(
  app: Pick<Publishing, "db" | "buckets">,
  { version, ...target }: SettledVersion,
): Promise<void> {
  const planes = await planesOf(app, target.projectId);
  const facts = await findPublicationFacts(app.db, target, version);
  if (facts)
    await inTransaction(planes.data, (tx) =>
      commitPublication(tx, { ...target, version, ...facts }),
    );
  // After the entry, on which the commitments of consents to this version depend.
  if (target.environment === "production") await syncProject(planes, target.projectId);
}

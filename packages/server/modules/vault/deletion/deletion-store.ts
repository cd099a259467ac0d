import { sql } from "kysely";
import type { Tx } from "../../../platform/db/db.ts";
import { announceSync } from "../documents/store.ts";

/** A published file that the deletion of a project takes away, by its environment. */
export type PublishedLoss = "production" | "staging";

/**
 * Lists the files that the deletion of a project takes away. Each condition stops at the first row of an index. A file in staging exists
 * if a job has ended since the project was last unpublished.
 */
export async function findPublishedLosses(tx: Tx, projectId: string): Promise<PublishedLoss[]> {
  const { rows } = await sql<Record<PublishedLoss, boolean>>`
    SELECT
      EXISTS (SELECT FROM documents WHERE id = ${projectId} AND live_version IS NOT NULL) AS production,
      EXISTS (SELECT FROM publish_jobs
        WHERE project_id = ${projectId} AND environment = 'staging' AND status = 'Done'
        AND ended_at > coalesce((SELECT max(created_at) FROM events
          WHERE project_id = ${projectId} AND name = 'publish.withdrawn'), '-infinity')) AS staging`.execute(
    tx,
  );
  const [found] = rows;
  return (["production", "staging"] as const).filter((loss) => found?.[loss]);
}

/** The projects of an organization that are not deleted, oldest first; at most `limit`. */
export async function listOrganizationProjects(
  tx: Tx,
  { organizationId, limit }: { organizationId: string; limit: number },
): Promise<{ id: string; title: string }[]> {
  const { rows } = await sql<{ id: string; title: string }>`
    SELECT id, body ->> 'title' AS title FROM documents
    WHERE organization_id = ${organizationId} AND resource = 'projects' AND deleted_at IS NULL
    ORDER BY id LIMIT ${limit}`.execute(tx);
  return rows;
}

/**
 * Marks a document and those that it holds as deleted: a project's configurations, an organization's vendors and media.
 * Versions and consents stay.
 */
export async function updateDeleted(tx: Tx, { id, now }: { id: string; now: Date }): Promise<void> {
  await announceSync(tx);
  await tx
    .updateTable("documents")
    .set({ deleted_at: now })
    .where((eb) =>
      eb.or([eb("id", "=", id), eb("project_id", "=", id), eb("organization_id", "=", id)]),
    )
    .where("deleted_at", "is", null)
    .execute();
}

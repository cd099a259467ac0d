import { sql } from "kysely";
import { service } from "../harness.ts";
import type { World } from "./world.ts";

/**
 * Number of rows of each table that a world wrote. Users, and live keys and tokens, are counted completely.
 */
export type Rows = Record<string, number>;

/**
 * Counts what the world's users and projects have written, except what background jobs write or delete on
 * expiry. Ids begin with their time, so rows older than the world are excluded.
 */
export async function countRows({ owner, guest }: World): Promise<Rows> {
  const actors = [owner.id, guest.id];
  const { rows } = await sql<Rows>`
    WITH own AS MATERIALIZED (
      SELECT id, version FROM documents WHERE id >= ${owner.id.slice(0, 8)} AND created_by = ANY(${sql.val(actors)}))
    SELECT
      (SELECT count(*) FROM own)::int AS documents,
      (SELECT coalesce(sum(version), 0) FROM own)::int AS versions_said,
      (SELECT count(*) FROM document_versions WHERE document_id IN (SELECT id FROM own))::int AS document_versions,
      (SELECT count(*) FROM document_users WHERE document_id IN (SELECT id FROM own))::int AS document_users,
      (SELECT count(*) FROM events WHERE request_id IS NOT NULL
        AND (actor = ANY(${sql.val(actors)}) OR project_id IN (SELECT id FROM own)))::int AS events,
      (SELECT count(*) FROM consents WHERE project_id IN (SELECT id FROM own))::int AS consents,
      (SELECT count(*) FROM past_states WHERE project_id IN (SELECT id FROM own))::int AS past_states,
      (SELECT count(*) FROM consent_states WHERE project_id IN (SELECT id FROM own))::int AS consent_states,
      (SELECT count(*) FROM publish_jobs WHERE project_id IN (SELECT id FROM own))::int AS publish_jobs,
      (SELECT count(*) FROM idempotency_keys WHERE created_at > now() - interval '23 hours')::int AS idempotency_keys,
      (SELECT count(*) FROM users)::int AS users,
      (SELECT count(*) FROM access_tokens WHERE expires_at > now())::int AS access_tokens`.execute(
    service.db,
  );
  const [counted] = rows;
  if (!counted) throw new Error("nothing was counted");
  return counted;
}

import type { Db } from "../../../platform/db/db.ts";

/** The content of a published version, byte for byte as hashed. */
export async function findContent(
  db: Db,
  of: { projectId: string; environment: string; version: number },
): Promise<string | undefined> {
  const row = await db
    .selectFrom("publications")
    .select("content")
    .where("project_id", "=", of.projectId)
    .where("environment", "=", of.environment)
    .where("version", "=", of.version)
    .executeTakeFirst();
  return row?.content;
}

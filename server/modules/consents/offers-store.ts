import { sql } from "kysely";
import type { Tx } from "../../platform/db/db.ts";
import type { Offer } from "./offers.ts";

/** Writes what a published version offers in place of what it offered before. */
export async function replaceOffers(
  tx: Tx,
  version: { projectId: string; version: number; offers: readonly Offer[] },
): Promise<void> {
  await tx
    .deleteFrom("offers")
    .where("project_id", "=", version.projectId)
    .where("version", "=", version.version)
    .execute();
  // One parameter for all: a project may offer more vendors than a statement may have parameters.
  await sql`
    INSERT INTO offers (project_id, version, identifier, item, collection, name, substance, required, expires_after_days)
    SELECT ${version.projectId}, ${version.version}::integer, o."identifier", o."item", o."collection", o."name",
      o."substance", o."required", o."expiresAfterDays"
    FROM jsonb_to_recordset(${JSON.stringify(version.offers)}::jsonb) AS o(
      "identifier" text, "item" text, "collection" text, "name" text, "substance" text,
      "required" boolean, "expiresAfterDays" integer)
  `.execute(tx);
}

import { sql } from "kysely";
import type { DataDb } from "../../../platform/db/db.ts";
import {
  addedQuartersTo,
  addedTo,
  dayOf,
  hourOf,
  sumsAndQuartersOf,
  sumsOf,
} from "./hours-store.ts";

/** The dimensions of display counts. */
export interface DisplayKey {
  projectId: string;
  /** Start of a quarter of an hour. */
  slot: Date;
  identifier: string;
  /** '' for a consent form. */
  step: string;
  device: string;
}

/** Number of displays, and of answers to them by kind. */
export interface DisplayCount extends DisplayKey {
  shown: number;
  accepted: number;
  partly: number;
  refused: number;
}

const columns = ["shown", "accepted", "partly", "refused"];

/**
 * Adds counts to the hourly and daily sums, atomically. Rows are written in key order to prevent deadlocks between
 * nodes.
 */
export async function addDisplays(db: DataDb, counts: readonly DisplayCount[]): Promise<void> {
  await sql`
    WITH c AS MATERIALIZED (
      SELECT * FROM jsonb_to_recordset(${JSON.stringify(counts)}::jsonb) AS c("projectId" text, "slot" timestamptz,
        "identifier" text, "step" text, "device" text, "shown" integer, "accepted" integer, "partly" integer,
        "refused" integer)
    ), hours AS (
      INSERT INTO display_counts AS d (project_id, hour, identifier, step, device, shown, accepted, partly, refused,
        quarters)
      SELECT "projectId", ${hourOf()}, "identifier", "step", "device", ${sumsAndQuartersOf(columns)} FROM c
      GROUP BY 1, 2, 3, 4, 5 ORDER BY 1, 2, 3, 4, 5
      ON CONFLICT (project_id, hour, identifier, step, device) DO UPDATE SET ${addedQuartersTo("d", columns)}
    )
    INSERT INTO display_days AS d (project_id, day, identifier, step, device, shown, accepted, partly, refused)
    SELECT "projectId", ${dayOf()}, "identifier", "step", "device", ${sumsOf(columns)} FROM c
    GROUP BY 1, 2, 3, 4, 5 ORDER BY 1, 2, 3, 4, 5
    ON CONFLICT (project_id, day, identifier, step, device) DO UPDATE SET ${addedTo("d", columns)}`.execute(
    db,
  );
}

import { sql } from "kysely";
import type { Db } from "../../../platform/db/db.ts";
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
export async function addDisplays(db: Db, counts: readonly DisplayCount[]): Promise<void> {
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

/** The step names of each cookie configuration of a published version; consent forms have the step ''. */
export async function listPublishedSteps(
  db: Db,
  { projectId, version }: { projectId: string; version: number },
): Promise<{ identifier: string; step: string }[]> {
  const { rows } = await sql<{ identifier: string; step: string }>`
    WITH p AS MATERIALIZED (
      SELECT content::jsonb AS content FROM publications
      WHERE project_id = ${projectId} AND environment = 'production' AND version = ${version}
    )
    SELECT c.cookies ->> 'identifier' AS identifier, s.name #>> '{}' AS step
    FROM p CROSS JOIN jsonb_path_query(p.content, '$.cookies[*]') AS c(cookies)
    CROSS JOIN jsonb_path_query(c.cookies, '$.steps[*].name') AS s(name)
    UNION ALL
    SELECT b.identifier #>> '{}', ''
    FROM p CROSS JOIN LATERAL (
      SELECT jsonb_path_query(p.content, '$.processings[*].identifier') AS identifier
      UNION ALL SELECT jsonb_path_query(p.content, '$.contracts[*].identifier')
    ) AS b`.execute(db);
  return rows;
}

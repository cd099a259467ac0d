import { ask } from "../../bench/measure/database.ts";
import type { Site } from "../../demo/setup.ts";

const HOURS = 90 * 24;

/** Quarters of an hour with all counts in the first one. */
function toQuarters(...columns: string[]): string {
  return `ARRAY[${columns.map((column) => `ARRAY[${column}, 0, 0, 0]`).join()}]`;
}

/**
 * Writes the counts of three months of a shop's displays and answers directly, because requests cannot be dated in the
 * past. There are more in the evening and at weekends, a slow growth, and a campaign two weeks ago.
 */
export async function fillMonth(
  database: string,
  { projectId, configurations }: Site,
): Promise<void> {
  const shares = configurations.cookies.map(({ id }, at) => ({ id, share: at === 0 ? 1 : 0.45 }));
  const kinds = JSON.stringify(shares);
  const shown = `round((18 + 30 * greatest(0, sin((extract(hour FROM hour) - 7) / 16.0 * pi())))
    * (CASE WHEN extract(isodow FROM hour) > 5 THEN 1.35 ELSE 1 END)
    * (1 - 0.25 * n / $3::float8) * (CASE WHEN n / 24 BETWEEN 13 AND 16 THEN 1.8 ELSE 1 END)
    * (0.9 + 0.2 * (((n * 7919) % 101) / 100.0)) * share * part)::integer`;
  const hours = `FROM generate_series(1, $3::integer) AS s(n)
    CROSS JOIN LATERAL (SELECT date_bin('1 hour', now(), '2000-01-01Z') - n * interval '1 hour' AS hour) h
    CROSS JOIN jsonb_to_recordset($2::jsonb) AS c(id text, share float8)`;
  // Shares of displays that were accepted, partly accepted and refused.
  const accepted = "0.46 + 0.05 * sin(extract(epoch FROM hour) / 300000)";
  const answers = [accepted, "0.11", "0.24"].map((part) => `(shown * (${part}))::integer`);
  const answered = answers.join();
  await ask(
    database,
    `INSERT INTO display_counts SELECT $1, hour, id, 'welcome', device, shown, ${answered}, ${toQuarters("shown", ...answers)}
    FROM (SELECT hour, id, device, ${shown} AS shown ${hours}
      CROSS JOIN (VALUES ('mobile', 0.58), ('desktop', 0.36), ('tablet', 0.06)) AS d(device, part)) x`,
    [projectId, kinds, HOURS],
  );
  await ask(
    database,
    `INSERT INTO answer_counts SELECT $1, hour, id, ${answered}, ${toQuarters(...answers)}
    FROM (SELECT hour, id, ${shown} AS shown ${hours} CROSS JOIN (SELECT 1 AS part) d) x
    ON CONFLICT DO NOTHING`,
    [projectId, kinds, HOURS],
  );
  const day = "date_bin('1 day', hour, timestamptz '2000-01-01 00:00Z')";
  for (const [days, counts, keys, sums] of [
    ["answer_days", "answer_counts", "identifier", ["accepted", "partly", "refused"]],
    [
      "display_days",
      "display_counts",
      "identifier, step, device",
      ["shown", "accepted", "partly", "refused"],
    ],
  ] as const) {
    await ask(database, `DELETE FROM ${days} WHERE project_id = $1`, [projectId]);
    await ask(
      database,
      `INSERT INTO ${days} SELECT project_id, ${day}, ${keys}, ${sums.map((name) => `sum(${name})`).join()}
      FROM ${counts} WHERE project_id = $1 GROUP BY project_id, ${day}, ${keys}`,
      [projectId],
    );
  }
  await fillGroups(database, projectId);
}

/** Splits the answers of each day by country and page, and copies them for vendors. */
async function fillGroups(database: string, projectId: string): Promise<void> {
  const groups = JSON.stringify([
    ...[
      ["FR", 0.52],
      ["DE", 0.21],
      ["BE", 0.14],
      ["CH", 0.08],
      ["CA", 0.05],
    ].map(toGroup("region")),
    ...[
      ["/", 0.38],
      ["/products/*", 0.31],
      ["/basket", 0.17],
      ["/blog", 0.14],
    ].map(toGroup("page")),
    ...[
      ["Matomo", 0.99],
      ["YouTube", 0.8],
      ["Meta Pixel", 0.55],
    ].map(toGroup("vendor")),
  ]);
  await ask(
    database,
    `INSERT INTO answer_groups SELECT project_id, day, dimension, key, (sum(accepted) * part)::integer,
      CASE WHEN dimension = 'vendor' THEN 0 ELSE (sum(partly) * part)::integer END,
      (sum(refused) * CASE WHEN dimension = 'vendor' THEN 1.4 - part ELSE 0.4 + 0.6 * part END)::integer
    FROM answer_days CROSS JOIN jsonb_to_recordset($2::jsonb) AS g(dimension text, key text, part float8)
    WHERE project_id = $1 GROUP BY project_id, day, dimension, key, part ON CONFLICT DO NOTHING`,
    [projectId, groups],
  );
}

function toGroup(dimension: string) {
  return ([key, part]: readonly (string | number)[]) => ({ dimension, key, part });
}

import { isDeepStrictEqual } from "node:util";
import type { Client } from "../../scripts/requests.ts";
import { hrefOf, paths } from "../../server/paths.ts";
import { ask } from "../database.ts";
import { HEAVY, heavyAnswers, patterns } from "./answers.ts";
import type { Project } from "./projects.ts";
import { toConsentsUrl } from "./targets.ts";

const DAY_MS = 86_400_000;
/** So many visitors are looked through for those that are compared. */
const LOOKED_THROUGH = 60_000;

interface Counts {
  records: number;
  present: number;
  past: number;
}

/** How many records there are; throws unless there are as many states, present and past. */
export async function countRecords(databaseUrl: string): Promise<number> {
  const [counts] = await ask<Counts>(
    databaseUrl,
    `SELECT (SELECT count(*) FROM consents)::float8 AS records,
      (SELECT count(*) FROM consent_states)::float8 AS present,
      (SELECT count(*) FROM past_states)::float8 AS past`,
  );
  if (!counts || counts.records !== counts.present + counts.past)
    throw new Error(`The states do not add up: ${JSON.stringify(counts)}`);
  return counts.records;
}

/**
 * Throws unless every record is told by one state, every chain of states leads to the present one
 * without a gap, and its counts are right. Looks at everything of these projects: for small databases.
 */
export async function assertChained(
  databaseUrl: string,
  projectIds: readonly string[],
): Promise<void> {
  const wrong = await ask<{ token: string; what: string }>(
    databaseUrl,
    `WITH state AS (
      SELECT project_id, token, identifier, consent_id, until_id FROM past_states
      WHERE project_id = ANY ($1)
      UNION ALL
      SELECT project_id, token, identifier, consent_id, NULL FROM consent_states
      WHERE project_id = ANY ($1)
    ), record AS (
      SELECT *, lead(id) OVER w AS next_id, count(*) OVER w AS reached, min(created_at) OVER w AS first_at,
        lead(id) OVER w IS NULL AS is_last
      FROM consents WHERE project_id = ANY ($1)
      WINDOW w AS (PARTITION BY project_id, token, identifier ORDER BY id)
    )
    SELECT coalesce(r.token, s.token) AS token, CASE
      WHEN r.id IS NULL THEN 'a state without a record'
      WHEN s.consent_id IS NULL THEN 'a record without a state'
      WHEN s.until_id IS DISTINCT FROM r.next_id THEN 'a state that ends at another record'
      ELSE 'a count or a first time that is not so' END AS what
    FROM record r
    FULL JOIN state s ON s.project_id = r.project_id AND s.token = r.token AND s.identifier = r.identifier
      AND s.consent_id = r.id
    LEFT JOIN consent_states p ON p.project_id = r.project_id AND p.consent_id = r.id AND p.token = r.token
      AND p.identifier = r.identifier
    WHERE r.id IS NULL OR s.consent_id IS NULL OR s.until_id IS DISTINCT FROM r.next_id
      OR r.is_last AND (p.consents, p.first_seen_at) IS DISTINCT FROM (r.reached::integer, r.first_at)
    LIMIT 3`,
    [projectIds],
  );
  if (wrong.length > 0) throw new Error(`Generated states are wrong: ${JSON.stringify(wrong)}`);
}

interface Pair {
  form: number;
  pattern: number;
  sample: string;
  generated: string;
}

/** For each form and pattern of a project a sample, and a generated visitor who answered the same. */
async function listPairs(databaseUrl: string, fill: number, project: number): Promise<Pair[]> {
  const lengths = patterns.map(({ answers }) => answers.length);
  return ask<Pair>(
    databaseUrl,
    // Of those who came two to five months ago: none of their answers has ended.
    `SELECT DISTINCT ON (s.form, s.pattern) s.form, s.pattern, s.token AS sample, l.token AS generated
    FROM bench.fills f
    CROSS JOIN LATERAL bench.lines_of($1, (f.visitors * 0.6)::bigint,
      least((f.visitors * 0.8)::bigint, (f.visitors * 0.6)::bigint + $3), 0, 1) l
    JOIN bench.samples s ON s.project = $2 AND l.key = bench.key_of(s.project, s.form, s.pattern, 0)
    WHERE f.fill = $1 AND l.k = 0 AND l.last + 1 = ($4::int[])[s.pattern + 1]
      AND bench.part_of(l.n / 4, 4) >= 0.125
    UNION ALL
    (SELECT 0, $5::int, s.token, bench.token_of(f.from_ms, f.base + 500000000 + h.no)
    FROM bench.fills f JOIN bench.heavies h USING (fill)
    JOIN bench.samples s ON s.project = h.project AND s.pattern = $5
    WHERE f.fill = $1 AND h.project = $2 AND h.records % 4 = 0 LIMIT 1)`,
    [fill, project, LOOKED_THROUGH, lengths, HEAVY],
  );
}

interface StateEntry {
  consentId?: string;
  expiresAt?: string;
}

interface Consents {
  state: StateEntry[];
  history: { consentId: string; createdAt: string }[];
}

/**
 * Throws unless the service answers the same of generated visitors as of those whose answers were
 * collected by HTTP, ids and times aside; tells how many were compared. `number`: the project's, from 1 on.
 */
export async function assertAlike(
  client: Client,
  given: { databaseUrl: string; fill: number; project: Project; number: number },
): Promise<number> {
  const { databaseUrl, fill, project, number } = given;
  const pairs = await listPairs(databaseUrl, fill, number);
  for (const { form, pattern, sample, generated } of pairs) {
    const answers = await Promise.all(
      [sample, generated].map((token) => readAnswers(client, { projectId: project.id, token })),
    );
    const [expected, actual] = answers;
    if (isDeepStrictEqual(expected, actual)) continue;
    const told = JSON.stringify({ form, pattern, expected, actual });
    throw new Error(`A generated visitor is answered otherwise than a collected one: ${told}`);
  }
  return pairs.length;
}

/** All that the service tells of a token, its newest records called 0, 1, 2 and so on. */
async function readAnswers(
  client: Client,
  { projectId, token }: { projectId: string; token: string },
): Promise<unknown> {
  const limit = heavyAnswers.length;
  const consents = await client.send<Consents>(
    toConsentsUrl(client.url, { projectId, token, limit }),
  );
  const history = consents.history.slice(0, limit);
  const timeOf = new Map(history.map((record) => [record.consentId, Date.parse(record.createdAt)]));
  const state = consents.state.map(({ expiresAt, ...entry }) => {
    const said = timeOf.get(entry.consentId ?? "");
    if (expiresAt === undefined || said === undefined) return { ...entry, days: expiresAt };
    return { ...entry, days: (Date.parse(expiresAt) - said) / DAY_MS };
  });
  const latest = history[0] && (await readLatest(client, { projectId, token }));
  let text = JSON.stringify({ state, history, latest }).replaceAll(token, "token");
  for (const [at, { consentId, createdAt }] of history.entries())
    text = text.replaceAll(consentId, `id ${at}`).replaceAll(createdAt, `time ${at}`);
  return JSON.parse(text);
}

function readLatest(
  client: Client,
  { projectId, token }: { projectId: string; token: string },
): Promise<unknown> {
  return client.send<unknown>(hrefOf("", paths.latestConsent, { projectId }, { token }));
}

import { isDeepStrictEqual } from "node:util";
import type { Client } from "../../instance/requests.ts";
import { hrefOf, paths } from "@avow/contract/urls";
import { ask } from "../measure/database.ts";
import { HEAVY, heavyAnswers, patterns } from "./answers.ts";
import type { Project } from "./projects.ts";
import { toConsentsUrl } from "./targets.ts";

const DAY_MS = 86_400_000;
/** Visitors among which the ones to compare are searched. */
const LOOKED_THROUGH = 60_000;

interface Counts {
  records: number;
  present: number;
  past: number;
}

/** The number of records; throws unless the number of present and past states is the same. */
export async function countRecords(databaseUrl: string): Promise<number> {
  const [counts] = await ask<Counts>(
    databaseUrl,
    `SELECT (SELECT count(*) FROM consents)::float8 AS records,
      (SELECT count(*) FROM consent_states)::float8 AS present,
      (SELECT count(*) FROM past_states)::float8 AS past`,
  );
  if (!counts || counts.records !== counts.present + counts.past)
    throw new Error(`The numbers of records and states differ: ${JSON.stringify(counts)}`);
  return counts.records;
}

interface Pair {
  form: number;
  pattern: number;
  sample: string;
  generated: string;
}

/** Pairs of a sample and a generated visitor with the same answers, for each form and pattern of a project. */
async function listPairs(databaseUrl: string, fill: number, project: number): Promise<Pair[]> {
  const lengths = patterns.map(({ answers }) => answers.length);
  return ask<Pair>(
    databaseUrl,
    // Only visitors of two to five months ago, so that no answer has expired.
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
 * Checks that the service returns the same for generated visitors as for those collected over HTTP, except for ids and
 * times; returns the number of compared visitors. `number` is the number of the project, from 1.
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
    const details = JSON.stringify({ form, pattern, expected, actual });
    throw new Error(`The responses for a generated and a collected visitor differ: ${details}`);
  }
  return pairs.length;
}

/** All responses of the service about a token, with its newest records named 0, 1, 2 and so on. */
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
    const answeredAt = timeOf.get(entry.consentId ?? "");
    if (expiresAt === undefined || answeredAt === undefined) return { ...entry, days: expiresAt };
    return { ...entry, days: (Date.parse(expiresAt) - answeredAt) / DAY_MS };
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

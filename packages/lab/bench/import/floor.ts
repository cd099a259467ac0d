import { CompiledQuery } from "kysely";
import { toTable } from "../../instance/table.ts";
import { timeOfId } from "../../../server/kernel/ids.ts";
import { createMonthPartitions } from "../../../server/modules/consents/records/months-store.ts";
import { copyRows } from "../../../server/platform/db/copy.ts";
import type { DataDb } from "../../../server/platform/db/db.ts";
import { openDataDatabase } from "../../../server/platform/db/open.ts";
import { type Databases, ask } from "../measure/database.ts";
import { listBackends, readProcessorSeconds, secondsSince } from "../measure/processor.ts";
import { right, toRate } from "../measure/report.ts";

/** Number of records in one transaction of an import. */
const PART = 1_000;
const RECORDS_MAX = 200_000;

/** The tables that an import writes, with the written columns. */
const tables = {
  consents:
    "id, token, created_at, project_id, collection, identifier, choice, version, accept, preferences, import_id, user_agent",
  consent_states:
    "consent_id, token, since, first_seen_at, project_id, collection, identifier, choice, version, consents",
  consent_queue: "project_id, consent_id, entry, salt",
} as const;
type TableName = keyof typeof tables;
const names = Object.keys(tables) as TableName[];

/** The import whose rows are written again. */
interface ImportKey {
  projectId: string;
  id: string;
}

/** Rows of each table in the text format of COPY. */
type Part = Record<TableName, string> & { count: number; first: string; last: string };

/** The writes of one import again. */
export interface FloorMeasure {
  count: number;
  seconds: number;
  /** Processor time of PostgreSQL. */
  postgresSeconds: number;
  /** Time of each table. */
  ms: Record<TableName, number>;
}

/** A second database, into which rows of imports are written again. */
export interface Floor extends AsyncDisposable {
  /** Writes the rows of an import. */
  measure: (job: ImportKey) => Promise<FloorMeasure>;
}

/**
 * Opens a measurement of the rate at which PostgreSQL alone writes the rows of imports: into the same tables with the
 * same indexes, with COPY only, on one connection without other load. `from` is the database of the imports; it must have
 * no connections now.
 */
export async function openFloor(databases: Databases, from: string): Promise<Floor> {
  const url = await databases.copy(`${from}_floor`, from);
  const db = openDataDatabase({ url, poolMax: 1, queueMax: 1, log: { warn: () => undefined } });
  return {
    async measure(job) {
      const parts = await readParts(databases.toUrl(from), job);
      const [first, last] = [parts[0]?.first, parts.at(-1)?.last];
      if (first && last) await createMonthPartitions(db, timeOfId(first), timeOfId(last));
      const backends = await listBackends(url);
      const before = await readProcessorSeconds(backends);
      const begun = performance.now();
      const ms = { consents: 0, consent_states: 0, consent_queue: 0 };
      for (const part of parts) await copyPart(db, part, ms);
      return {
        count: parts.reduce((sum, part) => sum + part.count, 0),
        seconds: (performance.now() - begun) / 1_000,
        postgresSeconds: secondsSince(before, await readProcessorSeconds(backends)),
        ms,
      };
    },
    [Symbol.asyncDispose]: () => db.destroy(),
  };
}

async function copyPart(db: DataDb, part: Part, ms: Record<TableName, number>): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await tx.executeQuery(CompiledQuery.raw("SET LOCAL synchronous_commit = off"));
    for (const name of names) {
      const started = performance.now();
      const statement = `COPY ${name} (${tables[name]}) FROM STDIN`;
      await copyRows(tx, [{ statement, rows: Buffer.from(part[name]) }]);
      ms[name] += performance.now() - started;
    }
  });
}

/** Prints the measurements beside the rates of their imports. */
export function toFloorTable(
  all: readonly { title: string; floor: FloorMeasure; rate: number }[],
): string {
  const rows = all.map(({ title, floor, rate }) => {
    const { count, seconds, postgresSeconds, ms } = floor;
    const totalMs = names.reduce((sum, name) => sum + ms[name], 0);
    return [
      title,
      toRate(count / seconds),
      (rate / (count / seconds)).toFixed(2),
      ((postgresSeconds * 1_000_000) / count).toFixed(1),
      ...names.map((name) => toShare(ms[name], totalMs)),
    ];
  });
  const titles = ["Records/s", "Import / COPY", "PostgreSQL, µs each", ...names];
  return toTable([{ title: "COPY alone" }, ...titles.map(right)], rows);
}

function toShare(ms: number, totalMs: number): string {
  return `${((ms / totalMs) * 100).toFixed(0)} %`;
}

async function readParts(url: string, { projectId, id }: ImportKey): Promise<Part[]> {
  const parts: Part[] = [];
  for (let last = "00000000-0000-0000-0000-000000000000"; parts.length * PART < RECORDS_MAX;) {
    const [part] = await ask<Part>(url, readPart, [projectId, id, last, PART]);
    if (!part || part.count === 0) break;
    parts.push(part);
    last = part.last;
  }
  return parts;
}

/** Builds rows without escaping, because the values of this benchmark contain no special characters of the text format. */
const readPart = `
  SELECT count(*)::integer AS count, min(id::text) AS first, max(id::text) AS last,
    string_agg(concat_ws(E'\\t', id, token, created_at, project_id, collection, identifier,
      coalesce(choice::text, '\\N'), coalesce(version::text, '\\N'), accept, preferences, import_id, user_agent) || E'\\n', '' ORDER BY id) AS consents,
    string_agg(concat_ws(E'\\t', id, token, created_at, created_at, project_id, collection, identifier,
      coalesce(choice::text, '\\N'), coalesce(version::text, '\\N'), 1) || E'\\n', '' ORDER BY id) AS consent_states,
    -- An entry is as long as a salt, and as random.
    string_agg(concat_ws(E'\\t', project_id, id, '\\\\x' || salt, '\\\\x' || salt) || E'\\n', '' ORDER BY id) AS consent_queue
  FROM (
    SELECT c.*, encode(s.salt, 'hex') AS salt FROM consents c
    CROSS JOIN LATERAL (
      SELECT * FROM consent_salts o WHERE o.consent_id = c.id AND o.project_id = c.project_id OFFSET 0
    ) s
    WHERE c.project_id = $1 AND c.import_id = $2 AND c.id > $3 ORDER BY c.id LIMIT $4
  ) r`;

import { CompiledQuery } from "kysely";
import { toTable } from "../../instance/table.ts";
import { copyRows } from "../../../server/platform/db/copy.ts";
import { openDataDatabase } from "../../../server/platform/db/open.ts";
import { type Databases, ask } from "../measure/database.ts";
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
type Part = Record<TableName, string> & { count: number; last: string };

/**
 * Measures the rate at which PostgreSQL alone writes the rows of an import: into the same tables with the
 * same indexes, with COPY only, on one connection without other load. `from` is the database of the
 * import; it must have no connections.
 */
export async function measureFloor(
  databases: Databases,
  { from, job }: { from: string; job: ImportKey },
): Promise<string> {
  const parts = await readParts(databases.toUrl(from), job);
  const url = await databases.copy(`${from}_floor`, from);
  await ask(url, `TRUNCATE ${names.join(", ")}, consent_salts`);
  const db = openDataDatabase({ url, poolMax: 1, queueMax: 1, log: { warn: () => undefined } });
  const ms = { consents: 0, consent_states: 0, consent_queue: 0 };
  const begun = performance.now();
  for (const part of parts)
    await db.transaction().execute(async (tx) => {
      await tx.executeQuery(CompiledQuery.raw("SET LOCAL synchronous_commit = off"));
      for (const name of names) {
        const started = performance.now();
        const statement = `COPY ${name} (${tables[name]}) FROM STDIN`;
        await copyRows(tx, [{ statement, rows: Buffer.from(part[name]) }]);
        ms[name] += performance.now() - started;
      }
    });
  const totalMs = performance.now() - begun;
  await db.destroy();
  const count = parts.reduce((sum, part) => sum + part.count, 0);
  const toUs = (taken: number): string => ((taken * 1_000) / count).toFixed(1);
  const rows = names.map((name) => [name, toUs(ms[name]), toShare(ms[name], totalMs)]);
  rows.push([`all, ${toRate(count / (totalMs / 1_000))} records/s`, toUs(totalMs), "100 %"]);
  return toTable([{ title: "COPY alone" }, right("µs a record"), right("Share")], rows);
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
  SELECT count(*)::integer AS count, max(id::text) AS last,
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

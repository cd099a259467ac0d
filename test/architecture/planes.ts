import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import {
  bucketTables,
  dataTables,
  sharedTables,
} from "../../packages/server/platform/db/planes.ts";

const migrations = "packages/server/migrations/*.sql";
/** Tables in SQL, and in a query builder's start. */
const tablePattern =
  /\b(?:FROM|JOIN|INTO|UPDATE|TABLE|EXCEPT|USING)\s+(?:ONLY\s+)?([a-z_]+)|(?:selectFrom|insertInto|updateTable|deleteFrom|[jJ]oin)\(\s*"([a-z_]+)/g;

/** The names of all tables that a migration creates. */
export function listTables(root: string): Set<string> {
  const files = globSync(migrations, { cwd: root });
  const texts = files.map((name) => readFileSync(join(root, name), "utf8"));
  return new Set(
    texts.flatMap((text) =>
      [...text.matchAll(/CREATE TABLE (?:IF NOT EXISTS )?([a-z_]+)/g)].map(([, name = ""]) => name),
    ),
  );
}

/** The tables that a migration creates with the column. */
export function listTablesWith(root: string, column: string): Set<string> {
  const files = globSync(migrations, { cwd: root });
  const texts = files.map((name) => readFileSync(join(root, name), "utf8"));
  const created = texts.flatMap((text) => [
    ...text.matchAll(/CREATE TABLE (?:IF NOT EXISTS )?([a-z_]+) \(([\s\S]*?)\n\)/g),
  ]);
  return new Set(
    created.flatMap(([, name = "", columns = ""]) =>
      columns.split("\n").some((line) => line.trim().startsWith(`${column} `)) ? [name] : [],
    ),
  );
}

/** The last migration before buckets. */
const BEFORE_BUCKETS = "0090_write_consents.sql";
/** Statements that change what a table is. */
const changePattern =
  /\b(?:(?:CREATE|ALTER|DROP) TABLE (?:IF (?:NOT )?EXISTS )?|CREATE (?:UNIQUE )?INDEX [a-z_]+ ON )([a-z_]+)/g;

/** The tables of a bucket that a migration changes, although only a `.bucket.sql` reaches those of existing buckets. */
export function findMissedChanges(name: string, text: string): string[] {
  if (name <= BEFORE_BUCKETS || name.endsWith(".bucket.sql")) return [];
  const changed = [...text.matchAll(changePattern)].map(([, table = ""]) => table);
  return changed.filter((table) => bucketTables.has(table));
}

/** Reasons why a store breaks the rule that its statements, and its connections, are of one plane only. */
export function findPlaneBreaches(
  path: string,
  text: string,
  tables: ReadonlySet<string>,
): string[] {
  const code = text.replaceAll(/\/\*[\s\S]*?\*\//g, "");
  const named = [...code.matchAll(tablePattern)].map((match) => match[1] ?? match[2] ?? "");
  const known = [...new Set(named)].filter((name) => tables.has(name) && !sharedTables.has(name));
  const data = known.filter((name) => dataTables.has(name));
  const control = known.filter((name) => !dataTables.has(name));
  const takesData = /\bData(?:Db|Tx)\b/.test(code);
  const takesControl = /\b(?:Db|Tx)\b/.test(code);
  return [
    ...(data.length > 0 && control.length > 0
      ? [`${path}: ${data.join(", ")} and ${control.join(", ")} are in different planes`]
      : []),
    ...(data.length > 0 && takesControl ? [`${path}: ${data.join(", ")} with a Db or Tx`] : []),
    ...(control.length > 0 && takesData
      ? [`${path}: ${control.join(", ")} with a DataDb or DataTx`]
      : []),
  ];
}

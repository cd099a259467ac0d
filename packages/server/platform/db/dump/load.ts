import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { Client } from "pg";
import { from as copyFrom } from "pg-copy-streams";
import { type DumpSchema, type DumpedTable, liftTimeLimits, quoteName, toPlace } from "./dump.ts";

/** A database into which a dump is loaded, in one transaction: it has everything or nothing. */
export interface Loading extends AsyncDisposable {
  /** Loads rows in the text format of COPY; returns their number. */
  loadRows(table: DumpedTable, rows: Readable): Promise<number>;
  /** Sets the sequences, updates the planner's statistics and commits. */
  commit(): Promise<void>;
}

/** The database has data already. */
export class NotEmptyError extends Error {
  override name = "NotEmptyError";
}

/** Tables that any database in use has rows in. */
const usedTables = ["users", "documents", "consents", "log_heads"];

/**
 * Begins to load a dump into a database that has been migrated as the dumped one. Rows that migrations have inserted
 * are replaced.
 * @throws NotEmptyError if the database is in use
 */
export async function openLoading(url: string, dump: DumpSchema): Promise<Loading> {
  const client = new Client({ connectionString: url, application_name: "avow restore" });
  await client.connect();
  try {
    await client.query("BEGIN");
    await liftTimeLimits(client);
    await assertEmpty(client);
    const triggered = await listTriggered(client);
    for (const table of triggered) await client.query(`ALTER TABLE ${table} DISABLE TRIGGER USER`);
    // Tables of pg-boss that refer to these are emptied too.
    await client.query(`TRUNCATE ${dump.tables.map(toPlace).join(", ")} CASCADE`);
    for (const { name, parent, bound } of dump.partitions)
      await client.query(
        `CREATE TABLE IF NOT EXISTS ${quoteName(name)} PARTITION OF ${quoteName(parent)} ${bound}`,
      );
    return {
      async loadRows(table, rows) {
        const list = table.columns.map(quoteName).join(", ");
        const copy = client.query(copyFrom(`COPY ${toPlace(table)} (${list}) FROM STDIN`));
        await pipeline(rows, copy);
        return copy.rowCount;
      },
      async commit() {
        for (const { name, lastValue, isCalled } of dump.sequences)
          await client.query("SELECT setval($1::regclass, $2::bigint, $3)", [
            quoteName(name),
            lastValue,
            isCalled,
          ]);
        for (const table of triggered)
          await client.query(`ALTER TABLE ${table} ENABLE TRIGGER USER`);
        await client.query("COMMIT");
        await client.query("ANALYZE");
      },
      // Rolls back what was not committed.
      [Symbol.asyncDispose]: () => client.end(),
    };
  } catch (error) {
    await client.end();
    throw error;
  }
}

/**
 * Asserts that the database is not in use, before anything in it is changed.
 * @throws NotEmptyError
 */
export async function assertUnused(url: string): Promise<void> {
  const client = new Client({ connectionString: url, application_name: "avow restore" });
  await client.connect();
  try {
    await assertEmpty(client);
  } finally {
    await client.end();
  }
}

async function assertEmpty(client: Client): Promise<void> {
  const { rows: found } = await client.query<{ name: string }>(
    "SELECT name FROM unnest($1::text[]) name WHERE to_regclass(quote_ident(name)) IS NOT NULL",
    [usedTables],
  );
  for (const { name } of found) {
    const { rows } = await client.query(`SELECT FROM ${quoteName(name)} LIMIT 1`);
    if (rows.length > 0) throw new NotEmptyError(`The table ${name} of the database has rows.`);
  }
}

async function listTriggered(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT DISTINCT tgrelid::regclass::text AS name FROM pg_trigger t
     JOIN pg_class c ON c.oid = tgrelid JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE NOT tgisinternal AND n.nspname = current_schema()`,
  );
  return rows.map(({ name }) => name);
}

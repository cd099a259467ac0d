import { sql } from "kysely";
import type { DataTx } from "../db.ts";
import { copyFunctions } from "../buckets/bucket-functions.ts";
import { HOME } from "../buckets/directory-store.ts";
import { listBuckets, lockBuckets } from "../buckets/create-bucket.ts";
import { distributeFunctions, isCoordinator } from "../buckets/citus.ts";

/** A statement: comments, strings and bodies of functions may contain semicolons. */
const statementPattern = /(?:--[^\n]*|'(?:[^']|'')*'|\$(\w*)\$[\s\S]*?\$\1\$|[^;])+/g;

/**
 * Runs the statements of a migration once for each bucket, with the bucket's tables first in the search path, in the
 * transaction of the migration. Then each bucket gets the functions of the template. Waits for buckets that are being
 * created.
 */
export async function inEachBucket(tx: DataTx, text: string): Promise<void> {
  await lockBuckets(tx);
  const { rows } = await sql<{ path: string }>`
    SELECT current_setting('search_path') AS path`.execute(tx);
  const hasWorkers = await isCoordinator(tx);
  // One by one: Citus sends the whole text of a query to its workers.
  const statements = (text.match(statementPattern) ?? []).filter((one) => one.trim() !== "");
  for (const bucket of await listBuckets(tx)) {
    await setSearchPath(tx, `${bucket}, ${HOME}`);
    for (const statement of statements) await sql.raw(statement).execute(tx);
    await copyFunctions(tx, bucket);
    if (hasWorkers) await distributeFunctions(tx, bucket);
  }
  await setSearchPath(tx, rows[0]?.path ?? HOME);
}

async function setSearchPath(tx: DataTx, path: string): Promise<void> {
  await sql`SELECT set_config('search_path', ${path}, true)`.execute(tx);
}

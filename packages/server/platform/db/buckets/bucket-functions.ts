import { sql } from "kysely";
import type { DataTx } from "../db.ts";
import { HOME } from "./directory-store.ts";

/** Functions that read or write tables of a bucket; each bucket has its own. Later versions get another name. */
const bucketFunctions = [
  "assert_collected",
  "assure_commit",
  "begin_collecting",
  "find_collecting_since",
  "write_consents",
] as const;

/** Copies the functions of the template, which a migration may have replaced, into a bucket. */
export async function copyFunctions(tx: DataTx, bucket: string): Promise<void> {
  const { rows } = await sql<{ definition: string; arguments: string; name: string }>`
    SELECT p.proname AS name, pg_get_functiondef(p.oid) AS definition,
      pg_get_function_identity_arguments(p.oid) AS arguments
    FROM pg_proc p WHERE p.pronamespace = ${HOME}::regnamespace AND p.proname = ANY (${sql.val([...bucketFunctions])}::text[])`.execute(
    tx,
  );
  for (const { name, definition, arguments: taken } of rows) {
    const own = `${bucket}.${name}`;
    await sql.raw(definition.replace(`FUNCTION ${HOME}.`, `FUNCTION ${bucket}.`)).execute(tx);
    await sql`
      ALTER FUNCTION ${sql.table(own)}(${sql.raw(taken)}) SET search_path = ${sql.id(bucket)}, ${sql.id(HOME)}`.execute(
      tx,
    );
  }
}

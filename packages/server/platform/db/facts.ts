import { sql } from "kysely";
import type { DataDb, Db } from "./db.ts";

/** Facts about a database server and its database. */
export interface DatabaseFacts {
  version: string;
  sizeBytes: number;
  now: Date;
  /** Settings that lose acknowledged data in a crash when they are off. */
  unsafe: string[];
}

export async function readDatabaseFacts(db: Db | DataDb): Promise<DatabaseFacts> {
  const { rows } = await sql<{ version: string; size: string; now: Date; unsafe: string[] }>`
    SELECT current_setting('server_version') AS version, pg_database_size(current_database())::text AS size,
      clock_timestamp() AS now, ARRAY(
        SELECT name FROM pg_settings
        WHERE name IN ('fsync', 'full_page_writes') AND setting = 'off' ORDER BY name
      ) AS unsafe`.execute(db);
  const [row] = rows;
  if (!row) throw new Error("the database returned no facts");
  const { version, size, now, unsafe } = row;
  return { version: version.split(" ")[0] ?? version, sizeBytes: Number(size), now, unsafe };
}

import { after } from "node:test";
import { type CompiledQuery, Kysely, PostgresDialect } from "kysely";
import { Pool } from "pg";
import type { Tables } from "../../packages/server/platform/db/tables.ts";
import { service } from "../harness.ts";

/** A connection to the service's database that records its queries. */
export interface Explained {
  db: Kysely<Tables>;
  queries: CompiledQuery[];
  /** The plan of a query by `EXPLAIN`; with ANALYZE it is run. */
  explain: (query: CompiledQuery, options?: "ANALYZE") => Promise<Plan>;
}

export interface Plan {
  "Node Type": string;
  "Actual Rows": number;
  "Actual Loops": number;
  "Rows Removed by Filter"?: number;
  "Rows Removed by Join Filter"?: number;
  Plans?: Plan[];
}

/** Opens a connection for a suite, and closes it afterwards. */
export function openExplained(): Explained {
  const pool = new Pool({ connectionString: service.databaseUrl, max: 1 });
  const queries: CompiledQuery[] = [];
  const db = new Kysely<Tables>({
    dialect: new PostgresDialect({ pool }),
    log: ({ query }) => void queries.push(query),
  });
  after(() => db.destroy());
  return {
    db,
    queries,
    async explain({ sql, parameters }, options) {
      const how = options ? `${options}, FORMAT JSON` : "FORMAT JSON";
      const { rows } = await pool.query(`EXPLAIN (${how}) ${sql}`, [...parameters]);
      return rows[0]["QUERY PLAN"][0].Plan;
    },
  };
}

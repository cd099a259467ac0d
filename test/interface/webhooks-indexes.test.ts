import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { after, before, describe, it } from "node:test";
import { type CompiledQuery, Kysely, PostgresDialect, sql } from "kysely";
import { Pool } from "pg";
import { listDeliveries } from "../../server/modules/webhooks/delivery-log-store.ts";
import type { Tables } from "../../server/platform/db/tables.ts";
import { service } from "../harness.ts";
import { newWebhook } from "./webhooks.ts";

const DELIVERIES = 20_000;
const PAGE = 100;
/** What the rarest of them is of: one in a thousand. */
const rare = {
  project: randomBytes(12).toString("hex"),
  document: randomBytes(12).toString("hex"),
};

describe("the log of deliveries among 20,000 of one webhook", async () => {
  const { token } = await service.newUser();
  const events = ["project.created"];
  const hook = await newWebhook(token, { url: "https://hooks.example/", events, enabled: false });
  const pool = new Pool({ connectionString: service.databaseUrl, max: 1 });
  const queries: CompiledQuery[] = [];
  const db = new Kysely<Tables>({
    dialect: new PostgresDialect({ pool }),
    log: ({ query }) => void queries.push(query),
  });
  after(() => db.destroy());

  before(async () => {
    await sql`
      INSERT INTO webhook_deliveries (webhook_id, event, project_id, collection, identifier, order_key, status,
        next_at, created_at)
      SELECT ${hook.id}, CASE WHEN r THEN 'publish.failed' ELSE 'consent.created' END,
        CASE WHEN r THEN ${rare.project} ELSE 'usual' END, CASE WHEN r THEN 'contracts' ELSE 'cookies' END,
        CASE WHEN r THEN ${rare.document} ELSE 'usual' END, n, CASE n % 1000 WHEN 0 THEN 'parked'
        WHEN 1 THEN 'cancelled' WHEN 2 THEN 'pending' ELSE 'delivered' END,
        CASE WHEN n % 1000 = 2 THEN now() END, now()
      FROM (SELECT n, n % 1000 = 0 AS r FROM generate_series(1, ${DELIVERIES}::integer) AS n) AS made`.execute(
      db,
    );
    await sql`ANALYZE webhook_deliveries`.execute(db);
  });

  const cases: Record<string, object> = {
    "all of it": {},
    "one event": { event: "publish.failed" },
    "one project": { projectId: rare.project },
    "one collection": { collection: "contracts" },
    "one configuration": { identifier: rare.document },
    "a collection and a configuration": { collection: "contracts", identifier: rare.document },
    "what waits": { status: "pending" },
    "what was parked": { status: "parked" },
    "what was cancelled": { status: "cancelled" },
    "what was delivered": { status: "delivered" },
  };
  for (const [name, given] of Object.entries(cases))
    it(`is read by an index: ${name}`, async () => {
      queries.length = 0;
      const filters = {
        status: undefined,
        event: undefined,
        projectId: undefined,
        collection: undefined,
        identifier: undefined,
        ...given,
      };
      const asked = { webhookId: hook.id, before: undefined, limit: PAGE + 1, filters };
      const rows = await listDeliveries(db, asked);
      assert.ok(rows.length >= DELIVERIES / 1_000);
      const [query] = queries;
      assert.ok(query);
      const explained = await pool.query(`EXPLAIN (ANALYZE, FORMAT JSON) ${query.sql}`, [
        ...query.parameters,
      ]);
      const read = toRead(explained.rows[0]["QUERY PLAN"][0].Plan);
      assert.ok(read <= (PAGE + 1) * 2, `${read} rows were read for a page`);
    });
});

interface Plan {
  "Node Type": string;
  "Actual Rows": number;
  "Rows Removed by Filter"?: number;
  Plans?: Plan[];
}

/** How many rows of the table a plan has looked at. */
function toRead(plan: Plan): number {
  const below = (plan.Plans ?? []).map(toRead);
  if (plan["Node Type"] === "Seq Scan") return Number.POSITIVE_INFINITY;
  const own = below.length > 0 ? 0 : plan["Actual Rows"];
  return below.reduce((sum, rows) => sum + rows, own + (plan["Rows Removed by Filter"] ?? 0));
}

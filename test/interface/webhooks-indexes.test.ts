import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { before, describe, it } from "node:test";
import { sql } from "kysely";
import { listDue } from "../../packages/server/modules/webhooks/deliveries/queue-store.ts";
import { listDeliveries } from "../../packages/server/modules/webhooks/deliveries/log-store.ts";
import { service } from "../harness.ts";
import { type Plan, openExplained } from "./explained.ts";
import { newWebhook } from "./webhooks.ts";

const DELIVERIES = 20_000;
const PAGE = 100;
/** Fields of the rarest deliveries: one in a thousand. */
const rare = {
  project: randomBytes(12).toString("hex"),
  document: randomBytes(12).toString("hex"),
};

describe("the log of deliveries among 20,000 of one webhook", async () => {
  const { token } = await service.newUser();
  const events = ["project.created"];
  const hook = await newWebhook(token, { url: "https://hooks.example/", events, enabled: false });
  const { db, queries, explain } = openExplained();

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
    "all deliveries": {},
    "one event": { event: "publish.failed" },
    "one project": { projectId: rare.project },
    "one collection": { collection: "contracts" },
    "one configuration": { identifier: rare.document },
    "a collection and a configuration": { collection: "contracts", identifier: rare.document },
    "what waits": { status: "pending" },
    "parked deliveries": { status: "parked" },
    "cancelled deliveries": { status: "cancelled" },
    "successful deliveries": { status: "delivered" },
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
      const read = toRead(await explain(query, "ANALYZE"));
      assert.ok(read <= (PAGE + 1) * 2, `${read} rows were read for a page`);
    });
});

/** Number of table rows that a plan reads. */
function toRead(plan: Plan): number {
  const below = (plan.Plans ?? []).map(toRead);
  if (plan["Node Type"] === "Seq Scan") return Number.POSITIVE_INFINITY;
  const own = below.length > 0 ? 0 : plan["Actual Rows"];
  return below.reduce((sum, rows) => sum + rows, own + (plan["Rows Removed by Filter"] ?? 0));
}

const WAITING = 2_000;

describe("due deliveries among 2,000 of one webhook", async () => {
  const { token } = await service.newUser();
  const events = ["project.created"];
  const hook = await newWebhook(token, { url: "https://hooks.example/", events, enabled: false });
  const { db, queries, explain } = openExplained();

  // Without statistics PostgreSQL expects few rows, and chooses a plan for few.
  for (const [name, keys] of Object.entries({ "one visitor": 1, "500 visitors": 500 }))
    it(`are found in one pass: of ${name}`, async () => {
      await sql`DELETE FROM webhook_deliveries WHERE webhook_id = ${hook.id}`.execute(db);
      await sql`
        INSERT INTO webhook_deliveries (webhook_id, event, order_key, status, next_at, created_at)
        SELECT ${hook.id}, 'consent.created', n % ${keys}::integer, 'pending', now(), now()
        FROM generate_series(1, ${WAITING}::integer) AS n`.execute(db);
      queries.length = 0;
      const now = new Date(Date.now() + 60_000);
      const due = await listDue(db, { webhookIds: [hook.id], now, limit: 64 });
      assert.equal(due.length, Math.min(keys, 64));
      const ids = due.map(({ id }) => id);
      assert.deepEqual(
        ids,
        ids.toSorted((a, b) => a - b),
      );
      const [query] = queries;
      assert.ok(query);
      const rows = toHandled(await explain(query, "ANALYZE"));
      assert.ok(rows <= WAITING * 4, `${rows} rows were processed`);
    });
});

/** Number of rows that all steps of a plan process. */
function toHandled(plan: Plan): number {
  const removed =
    (plan["Rows Removed by Filter"] ?? 0) + (plan["Rows Removed by Join Filter"] ?? 0);
  const own = (plan["Actual Rows"] + removed) * plan["Actual Loops"];
  return (plan.Plans ?? []).map(toHandled).reduce((sum, rows) => sum + rows, own);
}

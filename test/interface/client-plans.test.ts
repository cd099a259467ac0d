import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import { CompiledQuery, type KyselyPlugin, sql } from "kysely";
import { toOneBucket } from "../../packages/server/platform/db/buckets/buckets.ts";
import { listAccepted } from "../../packages/server/modules/consents/read/accepted.ts";
import { listByStatus } from "../../packages/server/modules/consents/read/by-status.ts";
import { listChanges } from "../../packages/server/modules/consents/read/changes.ts";
import { listRecordsAfter } from "../../packages/server/modules/consents/read/registry.ts";
import { openLiveOffers } from "../../packages/server/modules/consents/offers/live-offers.ts";
import {
  listTokenState,
  openTokenReader,
} from "../../packages/server/modules/consents/states/token-state.ts";
import { listTokens } from "../../packages/server/modules/consents/states/tokens.ts";
import { findLatest } from "../../packages/server/modules/consents/states/tokens-store.ts";
import type { Planes } from "../../packages/server/platform/db/db.ts";
import { firstIdAt } from "../../packages/server/kernel/ids.ts";
import { toCursor } from "../../packages/server/kernel/page.ts";
import { service } from "../harness.ts";
import { type Site, collect, newSite, publish } from "./site.ts";

const TOKENS = 20_000;
/** Maximum rows that any step of a query may touch; a page has 100. */
const ROWS_MAX = 2_500;
const hour = 3_600_000;
const limit = 100;

interface Plan {
  "Node Type": string;
  "Relation Name"?: string;
  "Actual Rows": number;
  "Actual Loops": number;
  "Rows Removed by Filter"?: number;
  "Rows Removed by Index Recheck"?: number;
  Plans?: Plan[];
}

/** Runs the queries that `read` makes, and returns every node of their plans. */
async function explain(read: (planes: Planes) => Promise<unknown>): Promise<Plan[]> {
  const asked: { db: Planes["db"] | Planes["data"]; query: CompiledQuery }[] = [];
  const toSpy = (db: Planes["db"] | Planes["data"]): KyselyPlugin => ({
    transformQuery({ node, queryId }) {
      asked.push({ db, query: db.getExecutor().compileQuery(node, queryId) });
      return node;
    },
    transformResult: async ({ result }) => result,
  });
  const { db: control, data: consents } = service;
  await read({
    db: control.withPlugin(toSpy(control)),
    data: consents.withPlugin(toSpy(consents)),
  });
  assert.ok(asked.length > 0);
  const nodes: Plan[] = [];
  const add = (plan: Plan): void => {
    nodes.push(plan);
    for (const part of plan.Plans ?? []) add(part);
  };
  for (const { db, query } of asked) {
    const text = `EXPLAIN (ANALYZE, FORMAT JSON) ${query.sql}`;
    const explained = CompiledQuery.raw(text, [...query.parameters]);
    const { rows } = await db.executeQuery<{ "QUERY PLAN": [{ Plan: Plan }] }>(explained);
    for (const row of rows) add(row["QUERY PLAN"][0].Plan);
  }
  return nodes;
}

/** Asserts that no step of any query of `read` exceeds the limit of rows. */
async function assertBounded(read: (planes: Planes) => Promise<unknown>): Promise<void> {
  for (const node of await explain(read)) {
    const description = JSON.stringify({ ...node, Plans: undefined });
    const removed =
      (node["Rows Removed by Filter"] ?? 0) + (node["Rows Removed by Index Recheck"] ?? 0);
    const rows = (node["Actual Rows"] + removed) * node["Actual Loops"];
    assert.ok(rows <= ROWS_MAX, `touches ${rows} rows: ${description}`);
    const isLarge = /^(consents|consent_states|past_states)/.test(node["Relation Name"] ?? "");
    // A month without records may be read by table scan: it is as good as an index.
    assert.ok(!isLarge || rows === 0 || node["Node Type"] !== "Seq Scan", description);
  }
}

/**
 * 20,000 tokens, two of three of which accept (answer combination 1001), and another one with 20,000
 * records.
 */
async function newLargeSite(): Promise<Site> {
  const site = await newSite();
  const json = { settings: { expiresAfterDays: 30 } };
  const path = `/v1/vault/processings/${site.processing}`;
  await service.fetch(path, { method: "PATCH", token: site.token, json });
  await publish(site);
  for (const [token, accept] of [
    ["a", true],
    ["b", false],
  ] as const)
    await collect(site, "processings", site.processing, { accept, token });
  const record = sql`(lpad(to_hex((extract(epoch FROM now()) * 1000)::bigint - 3600000 + n * 10), 12, '0')
    || '70008000' || lpad(to_hex(n), 12, '0'))::uuid`;
  // Every second record belongs to the token with many records.
  await sql`
    INSERT INTO consents (project_id, id, token, collection, identifier, accept, choice, user_agent, version,
      import_id, created_at)
    SELECT ${site.id}, ${record}, CASE WHEN n % 2 = 0 THEN 'hot' ELSE 't' || lpad((n / 2)::text, 5, '0') END,
      'processings', ${site.processing}, n % 3 > 0, CASE WHEN n % 3 > 0 THEN 1001 ELSE 1002 END, 'x', 1,
      CASE WHEN n % 2 = 1 THEN 'import' END, now()
    FROM generate_series(1, ${2 * TOKENS}::integer) n
  `.execute(service.data);
  await sql`
    INSERT INTO past_states (project_id, token, identifier, collection, choice, since, consent_id, until_id, version)
    SELECT project_id, token, identifier, collection, choice, created_at, id, until_id, version
    FROM (SELECT *, lead(id) OVER (ORDER BY id) AS until_id FROM consents
      WHERE project_id = ${site.id} AND token = 'hot') c WHERE until_id IS NOT NULL
  `.execute(service.data);
  await sql`
    INSERT INTO imports (project_id, id, status, format, dry_run, size, sha256, imported, created_at, created_by,
      updated_at, ended_at)
    VALUES (${site.id}, 'import', 'Done', 'csv', false, 1, '', ${TOKENS}, now(), '', now(), now())
  `.execute(service.data);
  // One of twenty has its vendors in full, without an answer combination.
  await sql`
    INSERT INTO consent_states (project_id, token, identifier, collection, choice, items, since, consent_id,
      version, first_seen_at, consents)
    SELECT c.project_id, c.token, c.identifier, c.collection,
      CASE WHEN c.is_written THEN NULL ELSE c.choice END,
      CASE WHEN c.is_written THEN jsonb_build_object('', k.items -> '' || jsonb_build_object(
        'since', c.created_at, 'consentId', c.id, 'version', c.version)) END,
      c.created_at, c.id, c.version, c.created_at, c.consents
    FROM (
      SELECT *, row_number() OVER (ORDER BY token) % 20 = 0 AS is_written FROM (
        SELECT DISTINCT ON (token) *, count(*) OVER (PARTITION BY token) AS consents FROM consents
        WHERE project_id = ${site.id} AND token NOT IN ('a', 'b') ORDER BY token, id DESC
      ) last
    ) c JOIN choices k ON k.project_id = c.project_id AND k.identifier = c.identifier AND k.choice = c.choice
  `.execute(service.data);
  for (const table of ["consents", "consent_states", "past_states", "choices"])
    await sql`ANALYZE ${sql.table(table)}`.execute(service.db);
  return site;
}

describe("queries with 20,000 tokens, and 20,000 records of one", () => {
  let site: Site;
  before(async () => {
    site = await newLargeSite();
  });
  const asked = () => ({
    projectId: site.id,
    name: site.processing,
    isNamed: false,
    now: new Date(),
  });
  const halfAnHourAgo = () => new Date(Date.now() - hour / 2);

  test("read few rows for pages of tokens, first and last", async () => {
    const { id: projectId } = site;
    for (const token of [undefined, "t10000", "t19990"])
      await assertBounded(async (planes) => {
        const cursor = token === undefined ? {} : { cursor: toCursor([token]) };
        const { items } = await listTokens(
          planes.data,
          { projectId, prefix: "" },
          { limit, ...cursor },
        );
        assert.ok(items.length > 5);
      });
    await assertBounded(({ data }) => listTokens(data, { projectId, prefix: "t1" }, { limit }));
  });

  test("read few rows for the state and history of a token, now and as of an instant, and its latest record", async () => {
    const of = { projectId: site.id, token: "hot" };
    for (const at of [undefined, halfAnHourAgo()])
      await assertBounded(async (planes) => {
        const state = { ...of, now: new Date(), at, named: [], cursor: undefined };
        const { items } = await listTokenState(planes, state);
        const entry = items.find(({ identifier }) => identifier === site.processing);
        assert.ok(
          entry?.status === "accepted" || entry?.status === "refused",
          String(entry?.status),
        );
      });
    for (const cursor of ["", toCursor([firstIdAt(halfAnHourAgo())])])
      await assertBounded(async (planes) => {
        const { items } = await listRecordsAfter(planes.data, of, { order: "desc", limit, cursor });
        assert.equal(items.length, limit);
      });
    await assertBounded(async (planes) => {
      const latest = await findLatest(planes.data, { ...of, identifier: site.processing });
      const [newest] = (
        await listRecordsAfter(planes.data, of, { order: "desc", limit: 1, cursor: "" })
      ).items;
      assert.equal(latest?.id, newest?.id);
    });
  });

  test("read few rows for the states and histories of tokens in a group, and return each token its own", async () => {
    const tokens = ["hot", "t10000", "unknown", "t19990", "a"];
    await assertBounded(async (planes) => {
      const own = { db: planes.db, buckets: toOneBucket(planes.data) };
      const reader = openTokenReader({ ...own, live: openLiveOffers(own) });
      const query = { projectId: site.id, now: new Date(), named: [], version: 1, records: limit };
      const read = (token: string) =>
        reader.readTokenState({ ...query, token, configurationIds: [site.processing] });
      const found = await Promise.all(tokens.map(read));
      assert.deepEqual(
        found.map(({ records }) => records.length),
        [limit, 1, 0, 1, 1],
      );
      for (const [at, token] of tokens.entries()) {
        const { records = [], state } = found[at] ?? {};
        assert.ok(records.every((record) => record.token === token));
        const entry = state?.items.find(({ identifier }) => identifier === site.processing);
        assert.equal(entry?.state?.consentId, records[0]?.id);
      }
    });
  });

  test("read few rows for pages of accepted tokens, first and last, now and as of an instant", async () => {
    for (const at of [undefined, halfAnHourAgo()])
      for (const token of [undefined, "t10000", "t19980"])
        await assertBounded(async (planes) => {
          const mark = [firstIdAt(new Date()), new Date().toISOString(), ""];
          const cursor = token === undefined ? {} : { cursor: toCursor([token, ...mark]) };
          const { items } = await listAccepted(planes, { ...asked(), at }, { limit, ...cursor });
          assert.ok(items.length > 5 || (at && token === "t19980"), `${items.length}`);
        });
  });

  test("read few rows for pages of tokens by the state of their answer, first and last", async () => {
    const later = new Date(Date.now() + 400 * 24 * hour);
    const middle = firstIdAt(new Date(Date.now() - hour + 200_000));
    for (const [status, now] of [
      ["refused", new Date()],
      ["withdrawn", new Date()],
      ["expired", later],
    ] as const)
      for (const cursor of [undefined, toCursor([middle])])
        await assertBounded(async (planes) => {
          const page = await listByStatus(planes, { ...asked(), status, now }, { limit, cursor });
          assert.ok(page.items.length > 5 || status === "withdrawn", `${page.items.length}`);
          assert.ok(page.next !== undefined);
        });
  });

  test("read few rows for pages of changes: by answers, by offers, by imports", async () => {
    const since = (id: Date, instant: Date, substances: string) =>
      toCursor([firstIdAt(id), instant.toISOString(), substances]);
    const [past, now] = [new Date(Date.now() - 2 * hour), new Date()];
    const later = new Date(Date.now() + hour);
    const { rows } = await sql<{ substance: string }>`
      SELECT items #>> '{"",substance}' AS substance FROM choices WHERE project_id = ${site.id} AND choice = 1
    `.execute(service.data);
    const offered = rows[0]?.substance ?? "";
    const marks = [
      since(past, later, offered),
      since(now, later, "other"),
      since(now, now, offered),
    ];
    for (const mark of marks)
      await assertBounded(async (planes) => {
        const first = await listChanges(planes, { ...asked(), since: mark }, { limit });
        assert.equal(first.items.length, limit);
        const { next: cursor } = first;
        assert.ok(cursor);
        const second = await listChanges(planes, { ...asked(), since: mark }, { limit, cursor });
        assert.ok(second.items.length > 0);
      });
  });

  test("return each accepting token once on all pages together", async () => {
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await listAccepted(
        service,
        { ...asked(), at: undefined },
        { limit: 1_000, cursor },
      );
      seen.push(...page.items.map(({ token }) => token));
      cursor = page.next;
    } while (cursor !== undefined);
    const { rows } = await sql<{ token: string; accept: boolean }>`
      SELECT DISTINCT ON (token) token, accept FROM consents WHERE project_id = ${site.id} ORDER BY token, id DESC
    `.execute(service.data);
    const accepting = rows.filter(({ accept }) => accept);
    assert.deepEqual(
      seen,
      accepting.map(({ token }) => token),
    );
    assert.ok(seen.length > TOKENS / 2);
  });
});

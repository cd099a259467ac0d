import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { sql } from "kysely";
import { pino } from "pino";
import { toOneBucket } from "../../packages/server/platform/db/buckets/buckets.ts";
import { openAnswerCombinations } from "../../packages/server/modules/consents/states/answer-combinations.ts";
import { rebuildStates } from "../../packages/server/modules/consents/erase/rebuild.ts";
import { auditRecords } from "../../packages/server/modules/evidence/proofs/audit.ts";
import { findHead } from "../../packages/server/modules/evidence/log/origin.ts";
import { runRetention } from "../../packages/server/modules/evidence/erasures/retention.ts";
import { hrefOf, paths } from "@avow/contract/urls";
import type { DataDb, Planes } from "../../packages/server/platform/db/db.ts";
import { openPlanes } from "../../packages/server/platform/db/open.ts";
import { type ClockedSite, type AcceptedTokens, openClockedSite } from "./clocked.ts";
import { dumpDatabase, findTables } from "./dump.ts";
import { toTablesUrl } from "../database.ts";

const DAY = 86_400_000;
const MONTH = 31 * DAY;
const log = pino({ level: "silent" });

describe("retention", () => {
  let site: ClockedSite;
  let planes: Planes;
  let data: DataDb;
  let contract = "";
  const owned = new AsyncDisposableStack();

  before(async () => {
    site = owned.use(await openClockedSite());
    const { databaseUrl: url } = site;
    const dataUrl = toTablesUrl(site.dataUrl);
    planes = owned.use(openPlanes({ url, dataUrl, poolMax: 4, queueMax: 100, log }));
    ({ data } = planes);
    const json = { projectId: site.id, title: "Terms", file: "https://shop.example/terms.pdf" };
    contract = (await site.send("/v1/vault/contracts", { json })).body.id;
    assert.match(contract, /^[0-9a-f]{24}$/);
  });
  after(() => owned.disposeAsync());

  const run = (retentionMonths = 60): Promise<void> => {
    const choices = openAnswerCombinations(toOneBucket(data));
    const app = {
      db: planes.db,
      buckets: toOneBucket(data),
      now: site.now,
      choices,
      log,
      retentionMonths,
    };
    return runRetention(app, AbortSignal.timeout(60_000));
  };
  const answers = (token: string, accept: boolean, more = {}) =>
    site.collect("contracts", contract, { token, accept, ...more });
  const readToken = async (token: string, query = {}) => {
    const href = hrefOf("", paths.clientConsents, { id: site.id, token }, query);
    return (await site.send(href)).body;
  };
  const statusOf = async (token: string, identifier: string, query = {}): Promise<string> => {
    const { state } = await readToken(token, query);
    return state.find((one: { identifier: string }) => one.identifier === identifier).status;
  };
  const listErasures = async () =>
    (await site.send(hrefOf("", paths.erasures, { projectId: site.id }))).body.items;
  const assertRebuilt = async (): Promise<void> => {
    const { differences } = await rebuildStates(data, { projectId: site.id, isCheck: true });
    assert.equal(differences, 0, "a rebuild would have the same result");
  };
  /** Makes the last pass appear long ago. */
  const resetWalk = () => sql`UPDATE retention_walks SET until = '2000-01-01'`.execute(data);
  const countLines = async (token: string): Promise<number> => {
    const { rows } = await sql<{ n: number }>`
      SELECT count(*)::integer AS n FROM consents WHERE token = ${token}`.execute(data);
    return rows[0]?.n ?? 0;
  };

  it("erases answers that were replaced or expired for long enough, and nothing in force", async () => {
    site.setAhead(-80 * MONTH);
    await site.publish();
    await answers("changed", true, { value: "seventy months ago" });
    await answers("kept", true);
    await site.collect("processings", site.processing, { token: "expired", accept: true });
    const at = site.now().toISOString();
    site.advance(DAY);
    await answers("changed", false);
    site.setAhead(-40 * MONTH);
    await site.collect("processings", site.processing, { token: "late", accept: true });
    await answers("changed", true);
    site.setAhead(0);
    assert.equal(await statusOf("changed", contract, { at }), "accepted");
    const dump = await dumpDatabase(planes);
    assert.ok(findTables(dump, "seventy months ago").length > 0);
    await run();
    // The refusal of eighty months ago was replaced only forty months ago.
    assert.equal(await countLines("changed"), 2);
    assert.equal(await countLines("kept"), 1, "answers without expiry are in force");
    assert.equal(
      await countLines("late"),
      1,
      "answers that expired forty months ago are kept for sixty",
    );
    assert.equal(await countLines("expired"), 0);
    assert.deepEqual(findTables(await dumpDatabase(planes), "seventy months ago"), []);
    assert.equal(await statusOf("changed", contract, { at }), "never-asked");
    assert.equal(await statusOf("kept", contract, { at }), "accepted");
    await assertRebuilt();
    const [erasure, ...more] = await listErasures();
    assert.deepEqual(more, []);
    assert.equal(erasure.reason, "retention");
    assert.equal(erasure.orderedBy, null);
    assert.equal(erasure.count, 2);
    const { rows } = await sql<{ actor: string; data: unknown }>`
      SELECT actor, data FROM events WHERE name = 'consent.erased'`.execute(planes.db);
    assert.deepEqual(rows, [{ actor: "retention", data: { reason: "retention", count: 2 } }]);
  });

  it("leaves no trace of erased records in counts, tokens and states", async () => {
    const { items } = (await site.send(hrefOf("", paths.clientTokens, { id: site.id }))).body;
    const counts = items.map((one: { token: string; consents: number }) => [
      one.token,
      one.consents,
    ]);
    assert.deepEqual(counts, [
      ["changed", 2],
      ["kept", 1],
      ["late", 1],
    ]);
    const { history } = await readToken("changed");
    const [, refusal] = history;
    const firstSeen = items[0].firstSeenAt;
    assert.equal(firstSeen, refusal.createdAt);
    // It withdrew a record that is erased.
    const at = { at: refusal.createdAt };
    assert.equal(await statusOf("changed", contract, at), "refused");
  });

  it("runs again only after a week, or when the period is shortened", async () => {
    await run();
    assert.equal((await listErasures()).length, 1);
    const path = `/v1/vault/projects/${site.id}`;
    const wrong = await site.send(path, { method: "PATCH", json: { retention: { months: 0 } } });
    assert.equal(wrong.status, 400, JSON.stringify(wrong.body));
    const json = { retention: { months: 30 } };
    const { status, body } = await site.send(path, { method: "PATCH", json });
    assert.equal(status, 200, JSON.stringify(body));
    assert.deepEqual(body.retention, { months: 30 });
    await run();
    assert.equal(await countLines("late"), 0);
    assert.equal(await countLines("changed"), 1);
    assert.equal(await countLines("kept"), 1);
    await assertRebuilt();
  });

  it("keeps the list of acceptances and its changes as they were", async () => {
    for (const months of [80, 79, 78]) {
      site.setAhead(-months * MONTH);
      await answers("again", months !== 79);
    }
    site.setAhead(0);
    const kept: AcceptedTokens = new Map();
    const list = site.acceptedAt(contract);
    const changes = await site.readAll(list, kept);
    assert.deepEqual([...kept.keys()].toSorted(), ["again", "changed", "kept"]);
    await answers("kept", false);
    await resetWalk();
    await run();
    assert.equal(await countLines("again"), 1);
    const { body } = await site.send(changes);
    assert.deepEqual(
      body.items.map((one: { token: string; change: string }) => [one.token, one.change]),
      [["kept", "removed"]],
    );
    const present: AcceptedTokens = new Map();
    await site.readAll(list, present);
    kept.delete("kept");
    assert.deepEqual(present, kept);
    await assertRebuilt();
  });

  it("runs while the same tokens are collected", async () => {
    const tokens = Array.from({ length: 40 }, (_, n) => `busy-${n}`);
    site.setAhead(-80 * MONTH);
    for (const accept of [true, false])
      await Promise.all(tokens.map((token) => answers(token, accept)));
    site.setAhead(0);
    await resetWalk();
    const vendors = (n: number) => ({ preferences: { vendors: { matomo: n % 2 === 0 } } });
    const collecting = Promise.all(
      tokens.map(async (token, n) => {
        await delay(n % 7);
        await answers(token, n % 3 > 0);
        await site.collect("cookies", site.cookies, { token, accept: true, ...vendors(n) });
      }),
    );
    await Promise.all([run(), collecting]);
    for (const token of tokens)
      assert.equal(await countLines(token), 3, "its first record was erased");
    await assertRebuilt();
  });

  it("resumes where it stopped, also in a deleted project", async () => {
    site.setAhead(-80 * MONTH);
    const count = 4_500;
    const lines = Array.from({ length: count }, (_, n) => n);
    for (let at = 0; at < count; at += 500) {
      const batch = lines.slice(at, at + 500).map((n) => ({
        id: `line-${n}`,
        collection: "processings",
        identifier: site.processing,
        token: `many-${n % 4_000}`,
        accept: n % 3 > 0,
      }));
      const href = hrefOf("", paths.collectBatch, { projectId: site.id });
      assert.equal((await site.send(href, { json: batch })).status, 200);
    }
    site.setAhead(0);
    const query = { confirm: site.id };
    const href = hrefOf("", paths.document, { resource: "projects", documentId: site.id }, query);
    assert.equal((await site.send(href, { method: "DELETE" })).status, 204);
    await resetWalk();
    const app = {
      db: planes.db,
      buckets: toOneBucket(data),
      now: site.now,
      choices: openAnswerCombinations(toOneBucket(data)),
      log,
      retentionMonths: 60,
    };
    const left: number[] = [];
    for (let turn = 0; turn < 10 && left.at(-1) !== 0; turn += 1) {
      // Stops after one step.
      await runRetention(app, new StepSignal().signal);
      const { rows } = await sql<{ n: number }>`
        SELECT count(*)::integer AS n FROM consents WHERE token LIKE 'many-%'`.execute(data);
      left.push(rows[0]?.n ?? -1);
    }
    assert.ok(left.length > 2, `in several steps: ${left.join()}`);
    assert.equal(left.at(-1), 0, left.join());
    await assertRebuilt();
  });

  it("accounts for every leaf of the log: by its record, or by the erasure that names it", async () => {
    const until = performance.now() + 20_000;
    const countWaiting = async () => {
      const { rows } = await sql<{ n: number }>`
        SELECT (SELECT count(*) FROM consent_queue) + (SELECT count(*) FROM log_documents WHERE leaf IS NULL)
          AS n`.execute(data);
      return rows[0]?.n ?? 0;
    };
    while ((await countWaiting()) > 0) {
      assert.ok(performance.now() < until, "the log appends what is queued");
      await delay(50);
    }
    const findings: string[] = [];
    const tally = await auditRecords({
      db: planes.db,
      buckets: toOneBucket(data),
      size: (await findHead(data))?.size ?? 0,
      signal: AbortSignal.timeout(60_000),
      onFinding: ({ says }) => findings.push(says),
      onProgress: () => undefined,
    });
    assert.deepEqual(findings, []);
    assert.ok(tally.erased > 0);
  });
});

/** A signal that is aborted the second time it is read. */
class StepSignal extends AbortController {
  constructor() {
    super();
    let looks = 0;
    const { signal } = this;
    Object.defineProperty(signal, "aborted", { get: () => (looks += 1) > 1 });
  }
}

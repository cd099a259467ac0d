import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { sql } from "kysely";
import { hrefOf, paths } from "@avow/contract/urls";
import { openFacts } from "../../packages/server/modules/evidence/log/sequence/facts.ts";
import { placeBucket } from "../../packages/server/modules/evidence/log/sequence/place-bucket.ts";
import {
  beginPlacing,
  endPlacing,
  fencePlacing,
  readPlacingTurn,
} from "../../packages/server/modules/evidence/log/sequence/placing-store.ts";
import { findHead, replaceHead } from "../../packages/server/modules/evidence/log/store.ts";
import { findLogSize } from "../../packages/server/modules/evidence/log/placed.ts";
import { auditRecords } from "../../packages/server/modules/evidence/proofs/audit.ts";
import type { Bucket, Buckets } from "../../packages/server/platform/db/buckets/buckets.ts";
import { openTestDatabase } from "../database.ts";
import { intervals, service } from "../harness.ts";
import { poll } from "../poll.ts";
import { openAnotherService } from "./another-service.ts";
import { assertProven } from "./proofs.ts";
import { openDivided, openSites, waitForAnswer } from "./divided.ts";

const PROJECTS = 8;
const WAIT_MS = 60_000;
const NEVER_MS = 1_000_000_000;

async function listFindings(
  planes: { db: Parameters<typeof auditRecords>[0]["db"]; buckets: Buckets },
  size: number,
): Promise<string[]> {
  const findings: string[] = [];
  const onFinding = ({ says }: { says: string }) => void findings.push(says);
  await auditRecords({ ...planes, size, onFinding, waitMs: 0 });
  return findings;
}

describe("a data plane of several buckets", () => {
  const opened = new AsyncDisposableStack();
  let planes: Awaited<ReturnType<typeof openDivided>>;
  let url: string;
  let world: Awaited<ReturnType<typeof openSites>>;
  let collected: { projectId: string; consentId: string }[];
  before(async () => {
    const database = opened.use(await openTestDatabase());
    planes = await openDivided(database, opened);
    ({ url } = opened.use(await openAnotherService(database.url)));
    world = await openSites(url, PROJECTS);
    collected = [];
    for (const site of world.sites)
      collected.push({ projectId: site.id, consentId: (await world.collect(site)).consentId });
  });
  after(() => opened.disposeAsync());

  it("keeps the records of a project in one bucket, and spreads projects", async () => {
    const found = new Map<string, string[]>();
    for (const { name, data } of planes.buckets.list()) {
      const { rows } = await sql<{ id: string }>`
        SELECT DISTINCT project_id AS id FROM ${sql.table(`${name}.consents`)}`.execute(data);
      for (const { id } of rows) found.set(id, [...(found.get(id) ?? []), name]);
    }
    assert.deepEqual([...found.keys()].toSorted(), world.sites.map(({ id }) => id).toSorted());
    for (const [id, names] of found) assert.equal(names.length, 1, `${id}: ${names.join()}`);
    const used = new Set([...found.values()].flat());
    assert.ok(used.size > 1, [...used].join());
    assert.ok(!used.has("public"), "new projects are not placed in the home bucket");
  });

  it("appends all of them to one log, without their project's name in the request for a proof", async () => {
    const leaves = new Set<number>();
    for (const { consentId } of collected) {
      const at = url + hrefOf("", paths.proof, { consentId }, { token: "ann" });
      const body = await waitForAnswer(at);
      assert.equal((await assertProven(body))["consentId"], consentId);
      leaves.add(Number(/\nindex (\d+)\n/.exec(body.consent.proof)?.[1]));
    }
    assert.equal(leaves.size, collected.length);
    const size = await findLogSize(planes.buckets.home.data);
    assert.deepEqual(await listFindings(planes, size), []);
  });

  it("answers a proof of no consent with 404", async () => {
    const consentId = "019d5c6a-1111-7abc-8def-0123456789ab";
    const at = url + hrefOf("", paths.proof, { consentId }, { token: "ann" });
    assert.equal((await service.fetch(at)).status, 404);
  });

  it("lists the events of all projects in one feed, in log order", async () => {
    const { token } = world;
    const start = await service.fetch(url + hrefOf("", paths.webhookEvents, {}), { token });
    for (const site of world.sites) await world.collect(site);
    const seen = new Set<string>();
    let next: string = start.body.links.next;
    await poll({
      async read() {
        const { status, body } = await service.fetch(next, { token });
        assert.equal(status, 200, JSON.stringify(body));
        for (const { type, data } of body.items)
          if (type === "consent.created") seen.add(data.projectId);
        next = body.links.next;
        return seen.size;
      },
      isRight: (count) => count === PROJECTS,
      waitMs: WAIT_MS,
      toMessage: (count) => `events of ${count} projects`,
    });
  });

  it("moves the events of each bucket to the audit trail", async () => {
    const [site] = world.sites;
    const token = "ann";
    const at = url + hrefOf("", paths.erasedToken, { projectId: site?.id ?? "", token });
    assert.equal((await service.fetch(at, { method: "DELETE", token: world.token })).status, 200);
    const { rows } = await sql<{ name: string }>`
      SELECT name FROM events WHERE project_id = ${site?.id} AND name = 'consent.erased'`.execute(
      planes.db,
    );
    assert.equal(rows.length, 1);
  });

  it("answers a project that does not exist as ever, and places it nowhere", async () => {
    const projectId = "f".repeat(24);
    const at = url + hrefOf("", paths.latestConsent, { projectId }, { token: "ann" });
    assert.equal((await service.fetch(at)).status, 404);
    const { rows } = await sql`SELECT FROM project_buckets WHERE project_id = ${projectId}`.execute(
      planes.buckets.home.data,
    );
    assert.equal(rows.length, 0);
  });
});

describe("leaves that a bucket has assigned before a crash", () => {
  it("are appended once, with the same entries", async () => {
    await using opened = new AsyncDisposableStack();
    const database = opened.use(await openTestDatabase());
    const planes = await openDivided(database, opened);
    const { home } = planes.buckets;
    let collected: string[] = [];
    {
      // Signs the first tree, then pauses.
      const parts = { intervals: { ...intervals, logMs: NEVER_MS } };
      await using paused = await openAnotherService(database.url, {}, service.clock.now, parts);
      const world = await openSites(paused.url, 3);
      const all = await Promise.all(world.sites.map((site) => world.collect(site)));
      collected = all.map(({ consentId }) => consentId);
    }
    const facts = openFacts();
    const size = await findLogSize(home.data);
    const bucket = await findQueued(planes.buckets);
    const first = await placeBucket(bucket, size, { ...planes, facts });
    assert.ok(first.entries.length > 0);
    const again = await placeBucket(bucket, size, { ...planes, facts });
    assert.deepEqual(again.entries, first.entries);

    // An assignment that began before these must not commit any more.
    const isCurrent = await bucket.data.transaction().execute((tx) => fencePlacing(tx, 1));
    assert.equal(isCurrent, false);

    const { term } = again;
    await home.data.transaction().execute(async (tx) => {
      await assert.rejects(beginPlacing(home.data, bucket.name, size + 1), /not the turn/);
      await assert.rejects(beginPlacing(home.data, "public", size), /not the turn/);
      await assert.rejects(endPlacing(tx, term - 1), /Another process/);
      const head = (await findHead(tx)) ?? assert.fail("the log has no tree");
      assert.equal(await replaceHead(tx, { size, term: term - 1 }, head), false);
    });
    assert.equal((await home.data.transaction().execute(readPlacingTurn)).bucket, bucket.name);

    await using resumed = await openAnotherService(database.url);
    for (const consentId of collected) {
      const at = resumed.url + hrefOf("", paths.proof, { consentId }, { token: "ann" });
      await waitForAnswer(at);
    }
    const grown = await findLogSize(home.data);
    assert.ok(grown >= size + collected.length, `${grown} of ${size} + ${collected.length}`);
    assert.deepEqual(await listFindings(planes, grown), []);
  });
});

async function findQueued(buckets: Buckets): Promise<Bucket> {
  for (const bucket of buckets.list()) {
    const { rows } = await sql`SELECT FROM consent_queue LIMIT 1`.execute(bucket.data);
    if (bucket !== buckets.home && rows.length > 0) return bucket;
  }
  throw new Error("No bucket has queued consents.");
}

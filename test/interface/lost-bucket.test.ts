import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { sql } from "kysely";
import { hrefOf, paths } from "@avow/contract/urls";
import { findPlace } from "../../packages/server/platform/db/buckets/directory-store.ts";
import type { DataDb } from "../../packages/server/platform/db/db.ts";
import { bucketTables } from "../../packages/server/platform/db/planes.ts";
import { openTestDatabase } from "../database.ts";
import { operatorToken, service } from "../harness.ts";
import { openAnotherService } from "./another-service.ts";
import { openDivided, openSites, waitForAnswer } from "./divided.ts";

const PROJECTS = 6;

/** Has every read of a bucket fail as if its server were lost, and no write reach another table. */
async function loseBucket(home: DataDb, bucket: string): Promise<void> {
  // Stable: a filter that has no column is evaluated once, also without rows.
  await sql`
    CREATE FUNCTION find_nothing() RETURNS boolean STABLE LANGUAGE plpgsql AS
      $$ BEGIN RAISE EXCEPTION 'the server is lost' USING ERRCODE = '08006'; END $$`.execute(home);
  for (const table of bucketTables) {
    await sql`ALTER TABLE ${sql.table(`${bucket}.${table}`)} RENAME TO ${sql.id(`${table}_lost`)}`.execute(
      home,
    );
    await sql`
      CREATE VIEW ${sql.table(`${bucket}.${table}`)} AS
      SELECT * FROM ${sql.table(`public.${table}`)} WHERE find_nothing() LIMIT 1`.execute(home);
  }
}

describe("a data plane with a lost bucket", () => {
  const opened = new AsyncDisposableStack();
  let node: Awaited<ReturnType<typeof openAnotherService>>;
  let world: Awaited<ReturnType<typeof openSites>>;
  let lost: { id: string; consentId: string };
  let left: { id: string; consentId: string };
  before(async () => {
    const database = opened.use(await openTestDatabase());
    const { buckets } = await openDivided(database, opened);
    const home = buckets.home.data;
    const collected: { id: string; consentId: string; bucket: string | undefined }[] = [];
    {
      await using first = await openAnotherService(database.url);
      world = await openSites(first.url, PROJECTS);
      for (const site of world.sites) {
        const { consentId } = await world.collect(site);
        collected.push({ id: site.id, consentId, bucket: await findPlace(home, site.id) });
      }
      for (const { consentId } of collected)
        await waitForAnswer(first.url + hrefOf("", paths.proof, { consentId }, { token: "ann" }));
    }
    lost = collected[0] ?? assert.fail("nothing was collected");
    const { bucket = "" } = collected[0] ?? {};
    left = collected.find((one) => one.bucket !== bucket) ?? assert.fail("one bucket has all");
    await loseBucket(home, bucket);
    node = opened.use(await openAnotherService(database.url, { OPERATOR_TOKEN: operatorToken }));
  });
  after(() => opened.disposeAsync());

  const getProof = ({ consentId }: { consentId: string }) =>
    service.fetch(node.url + hrefOf("", paths.proof, { consentId }, { token: "ann" }));

  it("starts a node, and logs that the bucket was skipped", () => {
    const logged = node.lines.filter((line) => line.includes("bucket skipped"));
    assert.ok(logged.length > 0);
  });

  it("returns proofs of other buckets, and 503 for a consent that no other bucket has", async () => {
    assert.equal((await getProof(left)).status, 200);
    const { status, body } = await getProof(lost);
    assert.equal(status, 503, JSON.stringify(body));
    assert.match(body.detail, /database server that may have this consent does not respond/);
  });

  it("accepts imports into other buckets", async () => {
    const at = node.url + hrefOf("", paths.imports, { projectId: left.id });
    const { status, body } = await service.fetch(at, {
      method: "POST",
      token: world.token,
      body: "token\n",
      headers: { "content-type": "text/csv" },
    });
    assert.equal(status, 202, JSON.stringify(body));
    assert.ok(
      node.lines.some((line) => line.includes("imports of unavailable buckets not counted")),
    );
  });

  it("names the bucket in the status", async () => {
    const at = node.url + paths.instanceStatus;
    const { status, body } = await service.fetch(at, { token: operatorToken });
    assert.equal(status, 200, JSON.stringify(body));
    assert.equal(body.log.unavailableBuckets.length, 1);
    const metrics = await (await fetch(`${node.url}/metrics`)).text();
    assert.match(metrics, /^avow_database_up 0$/m);
  });
});

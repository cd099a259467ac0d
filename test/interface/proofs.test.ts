import assert from "node:assert/strict";
import { hash } from "node:crypto";
import { describe, it } from "node:test";
import { sql } from "kysely";
import { readTableFacts } from "../../packages/server/platform/db/buckets/table-facts.ts";
import { hrefOf, paths } from "@avow/contract/urls";
import { service } from "../harness.ts";
import { poll } from "../poll.ts";
import { readCheckpoint, sizeOf } from "../log/world.ts";
import { importFile, toCsv } from "./imports.ts";
import { assertProven, holdLog, waitForProof } from "./proofs.ts";
import { collect, newSite, publish, readToken, type Site } from "./site.ts";

async function collected(site: Site, token = "visitor"): Promise<string> {
  const { body } = await collect(site, "cookies", site.cookies, { token, accept: true });
  return body.consentId;
}

async function readQueue(): Promise<{ waiting: number; bytes: number }> {
  const { rows } = await sql<{ waiting: number }>`
    SELECT count(*) AS waiting FROM consent_queue`.execute(service.data);
  const [facts] = await readTableFacts(service.data, ["consent_queue"]);
  return { waiting: rows[0]?.waiting ?? 0, bytes: facts?.sizeBytes ?? 0 };
}

describe("the proof of a consent", () => {
  it("commits to the record and to the displayed version, under a signed tree", async () => {
    const site = await newSite();
    await publish(site);
    const consentId = await collected(site);
    const bundle = await waitForProof(consentId, "visitor");
    assert.equal(bundle.consent.record.consentId, consentId);
    assert.equal(bundle.publication.record.version, 1);
    assert.equal(hash("sha256", bundle.publication.content), bundle.publication.record.hash);
    assert.equal(bundle.consent.record.publication, bundle.publication.record.hash);
    assert.equal(bundle.publication.record.size, Buffer.byteLength(bundle.publication.content));
    assert.match(bundle.consent.proof, /^c2sp\.org\/tlog-proof@v1\nindex \d+\n/);
  });

  it("is for the visitor with the token, and for readers of the project's consents", async () => {
    const site = await newSite();
    const consentId = await collected(site);
    await waitForProof(consentId, "visitor");
    const at = (query: Record<string, string> = {}) =>
      hrefOf("", paths.proof, { consentId }, query);
    assert.equal((await service.fetch(at())).status, 404);
    assert.equal((await service.fetch(at({ token: "somebody-else" }))).status, 404);
    assert.equal((await service.fetch(at(), { token: site.token })).status, 200);
    const stranger = await newSite();
    assert.equal((await service.fetch(at(), { token: stranger.token })).status, 404);
    assert.equal((await service.fetch(at(), { token: "no-such-token" })).status, 403);
  });

  it("is valid for a consent that is appended together with a publication", async () => {
    const site = await newSite();
    const consentId = await holdLog(async () => {
      await publish(site);
      return collected(site);
    });
    await assertProven(await waitForProof(consentId, "visitor"));
  });

  it("rejects a consistency proof to a tree that the log has not reached", async () => {
    const { id: projectId } = await newSite();
    await holdLog(async () => {
      const size = sizeOf(await readCheckpoint(service.url));
      const relate = (query: Record<string, number>) =>
        service.fetch(hrefOf("", paths.consistency, { projectId }, query));
      assert.equal((await relate({ from: size, to: size })).status, 200);
      const { status, body } = await relate({ from: size, to: size + 1 });
      assert.deepEqual([status, body.errors?.[0]?.path], [400, "?to"]);
    });
  });

  it("returns 202 with Retry-After until it is in the log, only for those who may read it", async () => {
    const site = await newSite();
    const stranger = await newSite();
    const consentId = await holdLog(async () => {
      const waiting = await collected(site);
      const read = (query: Record<string, string>, token?: string) =>
        service.fetch(
          hrefOf("", paths.proof, { consentId: waiting }, query),
          token === undefined ? {} : { token },
        );
      for (const query of [{}, { format: "pdf" }]) {
        const own = await read({ ...query, token: "visitor" });
        assert.equal(own.status, 202, JSON.stringify(own.body));
        assert.match(own.headers.get("retry-after") ?? "", /^[1-9]\d*$/);
        assert.match(own.body.detail, /is not in the log yet/);
        assert.equal((await read(query, site.token)).status, 202);
        assert.equal((await read(query)).status, 404);
        assert.equal((await read({ ...query, token: "somebody-else" })).status, 404);
        assert.equal((await read(query, stranger.token)).status, 404);
      }
      return waiting;
    });
    await waitForProof(consentId, "visitor");
  });
});

describe("the log", () => {
  it("commits to imported records, and marks them as imported", async () => {
    const site = await newSite();
    await importFile(site, toCsv(site, [{ token: "imported" }]));
    const { body } = await readToken(site, "imported");
    const bundle = await waitForProof(body.history[0].consentId, "imported");
    assert.equal(bundle.consent.record.grade, "imported");
  });

  it("appends an entry once that was queued twice, and continues", async () => {
    const site = await newSite();
    const first = await collected(site, "first");
    const bundle = await waitForProof(first, "first");
    await sql`
      INSERT INTO consent_queue SELECT ${site.id}, ${first}::uuid FROM generate_series(1, 2)`.execute(
      service.data,
    );
    await waitForProof(await collected(site, "second"), "second");
    const after = await waitForProof(first, "first");
    assert.equal(after.consent.salt, bundle.consent.salt);
    assert.equal(after.consent.proof.split("\n")[1], bundle.consent.proof.split("\n")[1]);
  });

  it("appends an entry once that was queued in several batches", async () => {
    const site = await newSite();
    const id = await holdLog(async () => {
      const collectedId = await collected(site, "often");
      await sql`
        INSERT INTO consent_queue SELECT ${site.id}, ${collectedId}::uuid FROM generate_series(1, 2500)`.execute(
        service.data,
      );
      return collectedId;
    });
    await waitForProof(id, "often");
    await waitForProof(await collected(site, "next"), "next");
  });

  it("reuses the disk space of processed queue entries", async () => {
    const site = await newSite();
    const id = await collected(site);
    await waitForProof(id, "visitor");
    const sizes: number[] = [];
    for (let round = 0; round < 6; round += 1) {
      await sql`
        INSERT INTO consent_queue SELECT ${site.id}, ${id}::uuid FROM generate_series(1, 20000)`.execute(
        service.data,
      );
      await poll({
        read: readQueue,
        isRight: ({ waiting }) => waiting === 0,
        waitMs: 30_000,
        toMessage: ({ waiting }) => `${waiting} are still queued for the log.`,
      });
      sizes.push((await readQueue()).bytes);
    }
    // One batch may be queued before the last one's space is free; without reuse there would be six.
    assert.ok((sizes.at(-1) ?? 0) < 3 * (sizes[0] ?? 0), `bytes of the queue: ${sizes.join(", ")}`);
  });

  it("serves a checkpoint and the tiles of its tree, which may be cached permanently", async () => {
    const site = await newSite();
    await waitForProof(await collected(site), "visitor");
    const checkpoint = await service.fetch(paths.checkpoint);
    assert.match(checkpoint.headers.get("content-type") ?? "", /^text\/plain/);
    const size = Number(String(checkpoint.body).split("\n")[1]);
    const width = Math.min(size, 256);
    const at = (kind: string) => `/log/tile/${kind}/000${width < 256 ? `.p/${width}` : ""}`;
    const tile = await service.fetch(at("0"));
    assert.equal(tile.status, 200);
    assert.match(tile.headers.get("cache-control") ?? "", /immutable/);
    assert.equal((await service.fetch(at("entries"))).status, 200);
    for (const bad of ["0/000.p/257", "0/0", "0/x000/000", "64/000", "entries/999", "1/x001"])
      assert.equal((await service.fetch(`/log/tile/${bad}`)).status, 404, bad);
  });
});

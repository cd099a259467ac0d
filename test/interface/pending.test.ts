import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { hrefOf, paths } from "@avow/contract/urls";
import { service } from "../harness.ts";
import { erase, waitForReceipt } from "./erasures.ts";
import { newLink } from "./persons.ts";
import { holdLog, waitForProof } from "./proofs.ts";
import { answerSchemaOf, listOperations } from "../hostile/operations.ts";
import { createProbe } from "../hostile/probe.ts";
import { createValidators } from "../hostile/validators.ts";
import { newWorld } from "../hostile/world.ts";
import { collect, newSite } from "./site.ts";
import { newLiveSite } from "./tickets.ts";

const validatorOf = createValidators();

/** Runs `act` as before the first tree of the log. */
async function withoutTree(act: () => Promise<void>): Promise<void> {
  await holdLog(async () => {
    const heads = await service.data.deleteFrom("log_heads").returningAll().execute();
    try {
      await act();
    } finally {
      await service.data.insertInto("log_heads").values(heads).execute();
    }
  });
}

describe("a file that is still being made", async () => {
  const operations = await listOperations();
  const pending = operations.filter(
    ({ method, responses }) => method === "GET" && responses["202"],
  );

  it("is answered 202 as declared, with Retry-After, and is neither cached nor a version", async () => {
    const operationIds = pending.map(({ operationId }) => operationId).toSorted();
    const expected = ["getConsistency", "getDossier", "getErasureReceipt", "getProof"];
    assert.deepEqual(operationIds, expected);
    const world = await newWorld(operations);
    const probe = createProbe(world, { countEach: false });
    await withoutTree(async () => {
      for (const operation of pending) {
        const { operationId } = operation;
        const headers = { "if-none-match": "*" };
        const search = operationId === "getDossier" ? "?sample=1" : "";
        const answer = await probe.send(operation, { headers, search });
        assert.equal(answer.status, 202, operationId);
        const schema = answerSchemaOf(operation, 202, "application/json");
        assert.ok(schema, operationId);
        assert.deepEqual(validatorOf(schema)(answer.body), [], JSON.stringify(answer.body));
        assert.match(answer.headers.get("content-type") ?? "", /^application\/json/);
        assert.match(answer.headers.get("retry-after") ?? "", /^[1-9]\d*$/, operationId);
        assert.equal(answer.headers.get("cache-control"), "no-store", operationId);
        for (const name of ["etag", "last-modified", "content-disposition"])
          assert.equal(answer.headers.get(name), null, `${operationId} ${name}`);
      }
    });
  });

  it("links to itself without the access token, and answers HEAD alike", async () => {
    const site = await newSite();
    await collect(site, "cookies", site.cookies, { token: "gone", accept: true });
    const href = await holdLog(async () => {
      const { body: erasure } = await erase(site, "gone");
      const { self } = erasure.links;
      const query = new URLSearchParams({ access_token: site.token, language: "fr" });
      const answer = await service.fetch(`${self}?${query.toString()}`);
      assert.equal(answer.status, 202, JSON.stringify(answer.body));
      assert.equal(answer.headers.get("referrer-policy"), "no-referrer");
      assert.deepEqual(answer.body, {
        status: "pending",
        detail: "The erasure is not in the log yet. Retry in a few seconds.",
        links: { self: `${self}?language=fr` },
      });
      const head = await service.fetch(self, { method: "HEAD", token: site.token });
      assert.deepEqual([head.status, head.body], [202, ""]);
      assert.match(head.headers.get("retry-after") ?? "", /^[1-9]\d*$/);
      return self;
    });
    await waitForReceipt(site, href);
  });

  it("exposes Retry-After to pages of every origin", async () => {
    const site = await newSite();
    await holdLog(async () => {
      const sent = await collect(site, "cookies", site.cookies, { token: "visitor", accept: true });
      const { consentId } = sent.body;
      const at = hrefOf("", paths.proof, { consentId }, { token: "visitor" });
      const { status, headers } = await service.fetch(at, {
        headers: { origin: "https://shop.example", accept: "application/ld+json" },
      });
      assert.equal(status, 202);
      assert.equal(headers.get("access-control-allow-origin"), "*");
      assert.match(headers.get("access-control-expose-headers") ?? "", /\bRetry-After\b/);
    });
  });

  it("is a page that reloads itself, on the person's page", async () => {
    const site = await newLiveSite();
    const receipt = await holdLog(async () => {
      const sent = await collect(site, "cookies", site.cookies, { token: "ann", accept: true });
      const id = sent.body.consentId;
      const { url } = await newLink(site, "ann");
      for (const path of [`receipts/${id}.pdf`, `receipts/${id}.json`, `check/${id}`]) {
        const { status, headers, body } = await service.fetch(`${url}/${path}`);
        assert.equal(status, 202, path);
        assert.match(headers.get("content-type") ?? "", /^text\/html/);
        assert.equal(headers.get("refresh"), headers.get("retry-after"), path);
        assert.match(headers.get("refresh") ?? "", /^[1-9]\d*$/);
        assert.match(body, /Please wait/);
      }
      return { id, href: `${url}/receipts/${id}.json` };
    });
    await waitForProof(receipt.id, "ann");
    assert.equal((await service.fetch(receipt.href)).status, 200);
  });
});

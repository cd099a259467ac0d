import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import { hrefOf, paths } from "@avow/contract/urls";
import { openTestDatabase } from "../database.ts";
import { type TestRequest, service } from "../harness.ts";
import { type Received, openReceiver } from "../stand-ins/receiver.ts";
import { openAnotherService } from "./another-service.ts";
import { toProcessing } from "./site.ts";

const WEBHOOKS = 12;
const VISITORS = 5;
const ANSWERS = 4;
const WAIT_MS_MAX = 60_000;

const receiver = await openReceiver();
after(() => receiver[Symbol.asyncDispose]());

const send = (node: { url: string }, path: string, request: TestRequest) =>
  service.fetch(node.url + path, request);

/** A project with a form, of a new account of the node. */
async function openShop(node: { url: string }) {
  const account = { email: "owner@shop.example", password: "correct horse" };
  const { token } = (await send(node, paths.signup, { json: account })).body;
  const create = async (resource: string, json: object): Promise<string> => {
    const { status, body } = await send(node, `/v1/${resource}`, { token, json });
    assert.equal(status, 201, JSON.stringify(body));
    return body.id;
  };
  const projectId = await create("vault/projects", {
    websiteURL: "https://shop.example",
    title: "Shop",
  });
  const identifier = await create("vault/processings", toProcessing(projectId));
  return { create, projectId, identifier };
}

describe("a node with one connection for requests", () => {
  it("delivers consents", async () => {
    await using database = await openTestDatabase();
    await using node = await openAnotherService(database.url, { DATABASE_POOL_MAX: "1" });
    await using own = await openReceiver();
    const { create, projectId, identifier } = await openShop(node);
    await create("webhooks", { url: `${own.url}/hook`, projectId, events: ["consent.created"] });
    const path = hrefOf("", paths.collect, { projectId, collection: "processings", identifier });
    assert.equal((await send(node, path, { json: { accept: true } })).status, 201);
    await own.waitFor(1);
    assert.ok(!node.lines.some((line) => line.includes("webhook feed failed")));
  });
});

describe("two nodes on one database", () => {
  it("both send, each delivery once, in order for each token", async () => {
    await using database = await openTestDatabase();
    await using first = await openAnotherService(database.url);
    await using second = await openAnotherService(database.url);
    const nodes = [first, second];
    const { create, projectId, identifier } = await openShop(first);
    const hooks = Array.from({ length: WEBHOOKS }, (_, n) => `/hook-${n}`);
    for (const path of hooks) {
      const url = receiver.url + path;
      await create("webhooks", { url, projectId, events: ["consent.created"] });
    }
    const collect = { projectId, collection: "processings", identifier };
    const isSending = ({ lines }: { lines: string[] }) =>
      lines.some((line) => line.includes("webhook delivery sent"));
    const answers: string[] = [];
    const until = performance.now() + WAIT_MS_MAX;
    // The first node to poll leases a webhook: repeat until each node has been first.
    for (let waves = 0; waves < 3 || !nodes.every(isSending); waves += 1) {
      assert.ok(performance.now() < until, "both nodes send");
      for (let n = 0; n < VISITORS * ANSWERS; n += 1) {
        const json = { token: `visitor-${n % VISITORS}`, accept: n % 2 === 0 };
        const node = nodes[n % 2] ?? first;
        const { status, body } = await send(node, hrefOf("", paths.collect, collect), { json });
        assert.equal(status, 201, JSON.stringify(body));
        answers.push(body.consentId);
      }
      await receiver.waitFor(answers.length * WEBHOOKS);
    }
    assert.equal(receiver.received.length, answers.length * WEBHOOKS, "nothing was sent twice");
    for (const path of hooks) {
      const own = receiver.received.filter((one) => one.path === path);
      assert.deepEqual(own.map(consentOf).toSorted(), answers.toSorted(), path);
      for (const ofOne of Map.groupBy(own, ({ body }) => body.data.token).values()) {
        const ids = ofOne.map(consentOf);
        assert.deepEqual(ids, ids.toSorted(), "ids of consents sort by time");
      }
    }
  });
});

function consentOf({ body }: Received): string {
  return body.data.consentId;
}

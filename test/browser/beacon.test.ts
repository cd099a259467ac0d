import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, it } from "node:test";
import { hrefOf, paths } from "@avow/contract/urls";
import { service } from "../harness.ts";
import { newSite } from "../interface/site.ts";
import { poll } from "../poll.ts";
import { openPage, skip } from "./widget/browser.ts";

describe("navigator.sendBeacon", { skip }, () => {
  it("stores consents from a page on another origin, single and in a batch", async () => {
    const { id: projectId, cookies: identifier } = await newSite();
    const answer = { accept: true, token: "t" };
    const single = hrefOf("", paths.collect, { projectId, collection: "cookies", identifier });
    const batch = hrefOf("", paths.collectBatch, { projectId });
    await using shop = await openShop();
    await using opened = await openPage();
    await opened.page.goto(shop.url);
    const bodies: [string, unknown][] = [
      [single, answer],
      [batch, [{ ...answer, id: "b", collection: "cookies", identifier }]],
    ];
    for (const [path, json] of bodies) {
      const args = [service.url + path, JSON.stringify(json)].map((arg) => JSON.stringify(arg));
      assert.equal(await opened.page.evaluate(`navigator.sendBeacon(${args.join()})`), true);
    }
    await poll({
      read: () => countRecords(projectId),
      isRight: (count) => count === 2,
      waitMs: 60_000,
      toMessage: (count) => `${count} of 2 consents are stored.`,
    });
  });
});

async function openShop() {
  const server = createServer((_req, res) => {
    res.setHeader("content-type", "text/html").end("<!doctype html><title>Shop</title>");
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    [Symbol.asyncDispose]: async () => void server.close(),
  };
}

async function countRecords(projectId: string): Promise<number> {
  const rows = await service.data
    .selectFrom("consents")
    .select("id")
    .where("project_id", "=", projectId)
    .execute();
  return rows.length;
}

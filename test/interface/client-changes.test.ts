import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import { hrefOf, paths } from "@avow/contract/urls";
import { service } from "../harness.ts";
import { type AcceptedTokens, openClockedSite, openDice, takeRandomStep } from "./clocked.ts";
import { importFile, toCsv } from "./imports.ts";
import { collect, newSite } from "./site.ts";

const hour = 3_600_000;
const day = 24 * hour;
const site = await openClockedSite();
after(() => site[Symbol.asyncDispose]());

function sorted(kept: AcceptedTokens): [string, string][] {
  return [...kept].toSorted(([a], [b]) => (a < b ? -1 : 1));
}

describe("`?since=`: changes of an accepted list after it was read", () => {
  test("lead from the list as of an instant (`?at=`) to the current list", async () => {
    // All of it is in the past, so that no record is read again for being recent.
    site.setAhead(-20 * day);
    const roll = openDice(3);
    await site.publish();
    for (let turn = 0; turn < 60; turn += 1) {
      await takeRandomStep(site, roll);
      if (roll(3) > 0) continue;
      const instant = site.now().toISOString();
      const [list, kept, fresh]: [AcceptedTokens, AcceptedTokens, AcceptedTokens] = [
        new Map(),
        new Map(),
        new Map(),
      ];
      const name = roll(2) === 0 ? site.processing : `${site.cookies}/matomo`;
      await site.readAll(site.acceptedAt(name, { limit: 2 }), list);
      site.advance(1);
      for (let more = roll(8); more > 0; more -= 1) await takeRandomStep(site, roll);
      await site.readAll(site.acceptedAt(name, { at: instant, limit: 2 + roll(5) }), kept);
      assert.deepEqual(kept, list, `at, turn ${turn}`);
      await site.readAll(site.acceptedAt(name, { since: instant, limit: 1 + roll(5) }), kept);
      await site.readAll(site.acceptedAt(name), fresh);
      assert.deepEqual(sorted(kept), sorted(fresh), `since, turn ${turn}`);
    }
  });

  test("do not include a token that repeats its answer", async () => {
    site.setAhead(-120_000);
    await site.collect("processings", site.processing, { token: "steady", accept: true });
    await site.collect("processings", site.processing, { token: "steady no", accept: false });
    site.setAhead(0);
    const kept: AcceptedTokens = new Map();
    const changes = await site.readAll(site.acceptedAt(site.processing), kept);
    assert.ok(kept.has("steady") && !kept.has("steady no"));
    await site.collect("processings", site.processing, { token: "steady", accept: true });
    await site.collect("processings", site.processing, { token: "steady no", accept: false });
    await site.collect("processings", site.processing, { token: "new", accept: true });
    const { items, links } = await site.read(changes, kept);
    assert.deepEqual(
      items.map((item: Record<string, string>) => [item["token"], item["change"]]),
      [["new", "added"]],
    );
    assert.deepEqual(Object.keys(links).toSorted(), ["project", "self"]);
    await site.collect("processings", site.processing, { token: "steady", accept: false });
    const later = await site.read(changes, kept);
    const removed = later.items.find((i: { token: string }) => i.token === "steady");
    assert.equal(removed.change, "removed");
    const { body } = await site.send(removed.links.consents);
    assert.equal(body.history[0].consentId, removed.consentId);
  });

  test("lead to the current list, also when both were read during changes", async () => {
    const roll = openDice(5);
    const names = [site.processing, `${site.cookies}/matomo`];
    const readers = await Promise.all(
      names.map(async (name) => {
        const kept: AcceptedTokens = new Map();
        return { name, kept, changes: await site.readAll(site.acceptedAt(name), kept) };
      }),
    );
    for (let turn = 0; turn < 60; turn += 1) {
      await takeRandomStep(site, roll);
      if (roll(4) > 0) continue;
      for (const reader of readers) {
        // Every other reader starts again while changes happen.
        const isNew = roll(6) === 0;
        if (isNew) reader.kept.clear();
        const start = isNew ? site.acceptedAt(reader.name, { limit: 3 }) : reader.changes;
        const first = start.replace(/limit=\d+/, `limit=${2 + roll(9)}`);
        const page = await site.read(first, reader.kept);
        await takeRandomStep(site, roll);
        reader.changes =
          page.links.next === undefined
            ? page.changes
            : await site.readAll(page.links.next, reader.kept);
        reader.changes = await site.readAll(reader.changes, reader.kept);
        const fresh: AcceptedTokens = new Map();
        await site.readAll(site.acceptedAt(reader.name), fresh);
        assert.deepEqual(sorted(reader.kept), sorted(fresh), `turn ${turn}`);
      }
    }
  });

  test("include imported answers once the import has ended, whatever their date", async () => {
    const shop = await newSite();
    const daysAgo = (days: number) => new Date(Date.now() - days * day).toISOString();
    for (const [token, accept] of [
      ["a", true],
      ["b", false],
    ] as const)
      await collect(shop, "cookies", shop.cookies, { token, accept });
    const identifier = `${shop.cookies}/matomo`;
    const at = hrefOf("", paths.clientAcceptedItem, { id: shop.id, identifier });
    const { body: list } = await service.fetch(at, { token: shop.token });
    const lines = [
      { token: "a", accept: false, date: daysAgo(20) },
      { token: "b", accept: true, date: daysAgo(20) },
      { token: "c", accept: true, date: daysAgo(20) },
      { token: "d", accept: true, date: daysAgo(200) },
    ];
    assert.equal((await importFile(shop, toCsv(shop, lines))).imported, 4);
    const { body } = await service.fetch(list.changes, { token: shop.token });
    const changes = new Map(
      body.items.map((item: Record<string, string>) => [item["token"], item]),
    );
    assert.equal((changes.get("c") as { change: string }).change, "added");
    assert.equal((changes.get("b") as { change: string }).change, "removed");
    assert.equal((changes.get("d") as { change: string }).change, "removed", "expired");
    const fresh = await service.fetch(at, { token: shop.token });
    assert.deepEqual(
      fresh.body.items.map(({ token }: { token: string }) => token),
      ["a", "c"],
    );
  });

  test("accept an instant as `since`, whose list `?at=` shows; not a future one, nor other text", async () => {
    const kept: AcceptedTokens = new Map();
    const instant = site.now().toISOString();
    await site.readAll(site.acceptedAt(site.processing, { at: instant, limit: 2 }), kept);
    site.advance(30 * hour);
    await site.collect("processings", site.processing, { token: "t1", accept: true });
    await site.collect("processings", site.processing, { token: "t2", accept: false });
    await site.readAll(site.acceptedAt(site.processing, { since: instant, limit: 2 }), kept);
    const fresh: AcceptedTokens = new Map();
    await site.readAll(site.acceptedAt(site.processing), fresh);
    assert.deepEqual(kept, fresh);
    assert.ok(fresh.has("t1"));
    const future = new Date(site.now().getTime() + hour).toISOString();
    for (const since of [future, "x", "a:b", "2026-13-01T00:00:00Z"]) {
      const { status, body } = await site.send(site.acceptedAt(site.processing, { since }));
      assert.equal(status, 400, since);
      assert.equal(body.errors[0].path, "?since");
      if (since === "x") assert.match(body.detail, /take it from the list's `changes`/);
    }
    const both = site.acceptedAt(site.processing, { since: instant, at: instant });
    assert.equal((await site.send(both)).status, 400);
    const mark = ["01900000-0000-7000-8000-000000000000", instant, ""];
    const old = ["01900000-0000-7000-8000-000000000000", "-271821-04-20T00:00:00.000Z", ""];
    const made = [
      ["x"],
      ["x", ...mark],
      ["1", "x", mark[0] ?? "", ...mark],
      ["1", "", "x", ...mark],
    ];
    for (const parts of made) {
      const cursor = Buffer.from(JSON.stringify(parts)).toString("base64url");
      const path = site.acceptedAt(site.processing, { since: instant, cursor });
      assert.equal((await site.send(path)).status, 400, parts.join());
    }
    const before = Buffer.from(JSON.stringify(old)).toString("base64url");
    const forged = site.acceptedAt(site.processing, { since: before });
    assert.equal((await site.send(forged)).status, 400);
    assert.equal((await site.send(site.acceptedAt("nothing", { since: instant }))).status, 404);
  });
});

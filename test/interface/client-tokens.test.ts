import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { hrefOf, paths } from "@avow/contract/urls";
import { service } from "../harness.ts";
import {
  collect,
  newSite,
  publish,
  readStatuses,
  readToken,
  share,
  toProcessing,
  vendors,
} from "./site.ts";

const unknownId = "0123456789abcdef01234567";
const day = 86_400_000;

interface Entry {
  identifier: string;
}

describe("GET /v1/client/{id}/tokens", () => {
  const tokensAt = (id: string, query: object = {}) =>
    hrefOf("", paths.clientTokens, { id }, query as Record<string, string>);

  test("returns a cursor list of { token, firstSeenAt, lastSeenAt, consents, links }", async () => {
    const site = await newSite();
    const first = await collect(site, "cookies", site.cookies, { accept: true, token: "a b" });
    service.clock.advance(1_000);
    const second = await collect(site, "processings", site.processing, {
      accept: true,
      token: "a b",
    });
    service.clock.reset();
    const { status, body } = await service.fetch(tokensAt(site.id), { token: site.token });
    assert.equal(status, 200);
    assert.equal(body.items.length, 1);
    const [{ links, ...item }] = body.items;
    assert.deepEqual(item, {
      token: "a b",
      firstSeenAt: first.body.createdAt,
      lastSeenAt: second.body.createdAt,
      consents: 2,
    });
    assert.equal((await service.fetch(links.consents, { token: site.token })).body.token, "a b");
    assert.equal(body.links.next, undefined);
  });

  test("pages the tokens of the project, and of no other", async () => {
    const [site, other] = await Promise.all([newSite(), newSite()]);
    const names = ["é", "B", "a", "~", "\u{1f600}", "\uffee", "z/z", "%_"];
    for (const token of names)
      await collect(site, "cookies", site.cookies, { accept: true, token });
    await collect(other, "cookies", other.cookies, { accept: true, token: "foreign" });
    const seen: string[] = [];
    let pages = 0;
    for (let next = tokensAt(site.id, { limit: 3 }); next; pages += 1) {
      const { status, body } = await service.fetch(next, { token: site.token });
      assert.equal(status, 200, JSON.stringify(body));
      assert.ok(body.items.length <= 3);
      seen.push(...body.items.map((t: { token: string }) => t.token));
      next = body.links.next;
    }
    assert.equal(pages, 3);
    const byBytes = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b));
    assert.deepEqual(seen, names.toSorted(byBytes));
  });

  test("finds tokens by literal prefix with `?q=`, and pages them too", async () => {
    const site = await newSite();
    const names = ["user%1", "user_1", "user_2", "user_3", "userx", "us", "\u{10ffff}x"];
    for (const token of names)
      await collect(site, "cookies", site.cookies, { accept: true, token });
    const find = async (q: string, query: object = {}) => {
      const { body } = await service.fetch(tokensAt(site.id, { q, ...query }), {
        token: site.token,
      });
      return body;
    };
    const found = async (q: string) => (await find(q)).items.map((t: { token: string }) => t.token);
    assert.deepEqual(await found("user_"), ["user_1", "user_2", "user_3"]);
    assert.deepEqual(await found("user%"), ["user%1"]);
    assert.deepEqual(await found("\u{10ffff}"), ["\u{10ffff}x"]);
    assert.deepEqual(await found("none"), []);
    const page = await find("user_", { limit: 2 });
    const next = await service.fetch(page.links.next, { token: site.token });
    assert.deepEqual(
      next.body.items.map((t: { token: string }) => t.token),
      ["user_3"],
    );
  });

  test("returns 403 without a token, 404 for a foreign project, 400 for a foreign cursor; an auditor may read", async () => {
    const [site, other] = await Promise.all([newSite(), newSite()]);
    assert.equal((await service.fetch(tokensAt(site.id))).status, 403);
    assert.equal((await service.fetch(tokensAt(site.id), { token: other.token })).status, 404);
    const bad = tokensAt(site.id, { cursor: "x" });
    assert.equal((await service.fetch(bad, { token: site.token })).status, 400);
    const auditor = await share(site, "auditor");
    assert.equal((await service.fetch(tokensAt(site.id), { token: auditor })).status, 200);
  });
});

describe("GET /v1/client/{id}/consents/{token}", () => {
  test("returns as `state` every processing and document of the project, and every cookie vendor, with all fields", async () => {
    const site = await newSite();
    await publish(site);
    const preferences = { vendors: { matomo: true } };
    const sent = await collect(site, "cookies", site.cookies, {
      accept: true,
      token: "t",
      preferences,
    });
    const { status, body } = await readToken(site, "t");
    assert.equal(status, 200);
    const expected = [
      `${site.cookies}/chat`,
      `${site.cookies}/matomo`,
      site.processing,
      site.contract,
    ];
    assert.deepEqual(body.state.map((s: Entry) => s.identifier).toSorted(), expected.toSorted());
    const { links, ...matomo } = body.state.find((s: Entry) => s.identifier.endsWith("/matomo"));
    assert.deepEqual(matomo, {
      collection: "cookies",
      identifier: `${site.cookies}/matomo`,
      name: "Matomo",
      status: "accepted",
      accept: true,
      since: sent.body.createdAt,
      expiresAt: new Date(Date.parse(sent.body.createdAt) + 180 * day).toISOString(),
      consentId: sent.body.consentId,
      version: 1,
    });
    assert.equal(
      (await service.fetch(links.accepted, { token: site.token })).body.items[0].token,
      "t",
    );
    const never = body.state.find((s: Entry) => s.identifier === site.processing);
    assert.equal(never.status, "never-asked");
    assert.equal(never.accept, false);
    assert.equal(never.name, "Newsletter");
  });

  test("returns 200 for an unknown token, with everything `never-asked` and an empty history", async () => {
    const site = await newSite();
    const { status, body } = await readToken(site, "nobody");
    assert.equal(status, 200);
    assert.deepEqual(body.history, []);
    assert.equal(body.state.length, 4);
    assert.ok(body.state.every((s: { status: string }) => s.status === "never-asked"));
  });

  test("returns as `history` a page of consent records, newest first, with `limit`, `cursor` and `links.next`", async () => {
    const site = await newSite();
    const sent: string[] = [];
    for (let n = 0; n < 5; n += 1)
      sent.push(
        (await collect(site, "cookies", site.cookies, { accept: true, token: "t" })).body.consentId,
      );
    await collect(site, "cookies", site.cookies, { accept: true, token: "other" });
    const first = await readToken(site, "t", "?limit=2");
    const seen: string[] = [];
    for (let page = first; ;) {
      assert.equal(page.body.token, "t");
      assert.ok(page.body.history.length <= 2);
      seen.push(...page.body.history.map((c: { consentId: string }) => c.consentId));
      if (page.body.links.next === undefined) break;
      page = await service.fetch(page.body.links.next, { token: site.token });
    }
    assert.deepEqual(seen, sent.toReversed());
    assert.equal(first.body.links.project, `${service.url}/v1/client/${site.id}`);
    assert.match(first.body.links.self, /\/consents\/t\?limit=2$/);
  });

  test("has status `refused`, and `withdrawn` after an acceptance", async () => {
    const site = await newSite();
    const answer = async (accept: boolean) => {
      await collect(site, "processings", site.processing, { accept, token: "t" });
      return (await readStatuses(site, "t"))[site.processing];
    };
    assert.equal(await answer(false), "refused");
    assert.equal(await answer(true), "accepted");
    assert.equal(await answer(false), "withdrawn");
    assert.equal(await answer(false), "withdrawn");
    assert.equal(await answer(true), "accepted");
  });

  test("applies an answer without a vendor map to every vendor, one with a map to exactly its vendors", async () => {
    const site = await newSite();
    const ask = async (token: string, json: object) => {
      await collect(site, "cookies", site.cookies, { token, ...json });
      const statuses = await readStatuses(site, token);
      return [statuses[`${site.cookies}/matomo`], statuses[`${site.cookies}/chat`]];
    };
    assert.deepEqual(await ask("all", { accept: true }), ["accepted", "accepted"]);
    assert.deepEqual(await ask("none", { accept: false }), ["refused", "refused"]);
    const preferences = { vendors: { chat: false, session: false } };
    assert.deepEqual(await ask("some", { accept: true, preferences }), ["never-asked", "refused"]);
    assert.equal((await readStatuses(site, "some"))[`${site.cookies}/session`], undefined);
  });

  test("has as `since` the start of the unbroken run of the same answer", async () => {
    const site = await newSite();
    const send = async (accept: boolean) => {
      service.clock.advance(1_000);
      const { body } = await collect(site, "processings", site.processing, { accept, token: "t" });
      const { body: read } = await readToken(site, "t");
      return [
        read.state.find((s: Entry) => s.identifier === site.processing).since,
        body.createdAt,
      ];
    };
    const [, first] = await send(true);
    assert.equal((await send(true))[0], first);
    assert.equal((await send(true))[0], first);
    const [since, second] = await send(false);
    assert.equal(since, second);
    const [repeated, third] = await send(true);
    service.clock.reset();
    assert.equal(repeated, third);
  });

  test("has status `expired` for cookies after 180 days, for processings only by settings.expiresAfterDays", async () => {
    const site = await newSite();
    const short = toProcessing(site.id, { title: "Short", settings: { expiresAfterDays: 1 } });
    const { body: made } = await service.fetch("/v1/vault/processings", {
      token: site.token,
      json: short,
    });
    await collect(site, "cookies", site.cookies, { accept: true, token: "t" });
    await collect(site, "processings", site.processing, { accept: true, token: "t" });
    await collect(site, "processings", made.id, { accept: true, token: "t" });
    const { body: read } = await readToken(site, "t");
    const daysOf = (identifier: string) => {
      const entry = read.state.find((s: Entry) => s.identifier === identifier);
      return entry.expiresAt && (Date.parse(entry.expiresAt) - Date.parse(entry.since)) / day;
    };
    assert.equal(daysOf(`${site.cookies}/matomo`), 180);
    assert.equal(daysOf(site.processing), undefined);
    assert.equal(daysOf(made.id), 1);
    service.clock.advance(2 * day);
    const statuses = await readStatuses(site, "t");
    assert.equal(statuses[made.id], "expired");
    assert.equal(statuses[`${site.cookies}/matomo`], "accepted");
    const again = await collect(site, "processings", made.id, { accept: true, token: "t" });
    const { body } = await readToken(site, "t");
    service.clock.reset();
    const state = body.state.find((s: Entry) => s.identifier === made.id);
    assert.equal(state.status, "accepted");
    assert.equal(state.since, again.body.createdAt, "an expired answer's run has ended");
  });

  test("has status `superseded` after a material change is published, not for wording or before publication", async () => {
    const site = await newSite();
    await publish(site);
    await collect(site, "processings", site.processing, { accept: true, token: "t" });
    const path = `/v1/vault/processings/${site.processing}`;
    const change = (json: object) =>
      service.fetch(path, { method: "PATCH", token: site.token, json });
    await change({ message: "Other words" });
    await publish(site);
    assert.equal((await readStatuses(site, "t"))[site.processing], "accepted");
    await change({ purpose: "Sell your address" });
    assert.equal((await readStatuses(site, "t"))[site.processing], "accepted", "not live yet");
    await publish(site);
    assert.equal((await readStatuses(site, "t"))[site.processing], "superseded");
    await collect(site, "processings", site.processing, { accept: true, token: "t" });
    assert.equal((await readStatuses(site, "t"))[site.processing], "accepted");
  });

  test("keeps the status and the name of an item that is no longer offered", async () => {
    const site = await newSite();
    await publish(site);
    await collect(site, "cookies", site.cookies, { accept: true, token: "t" });
    await collect(site, "contracts", site.contract, { accept: true, token: "t" });
    const steps = [{ name: "analytics", layout: "category", vendors: [vendors[1]] }];
    await service.fetch(`/v1/vault/cookies/${site.cookies}`, {
      method: "PATCH",
      token: site.token,
      json: { steps },
    });
    await service.fetch(`/v1/vault/contracts/${site.contract}`, {
      method: "DELETE",
      token: site.token,
    });
    await publish(site);
    const { body } = await readToken(site, "t");
    const of = (identifier: string) => body.state.find((s: Entry) => s.identifier === identifier);
    assert.equal(of(`${site.cookies}/matomo`).status, "accepted");
    assert.equal(of(`${site.cookies}/matomo`).name, "Matomo");
    assert.equal(of(site.contract).status, "accepted");
    assert.equal(of(site.contract).name, "terms");
    assert.equal((await readStatuses(site, "new"))[site.contract], undefined);
  });

  test("returns 403 without a token, 404 for a foreign project; an auditor may read", async () => {
    const [site, other] = await Promise.all([newSite(), newSite()]);
    const at = hrefOf("", paths.clientConsents, { id: site.id, token: "t" });
    assert.equal((await service.fetch(at)).status, 403);
    assert.equal((await service.fetch(at, { token: other.token })).status, 404);
    assert.equal((await service.fetch(at, { token: await share(site, "auditor") })).status, 200);
    const unknown = hrefOf("", paths.clientConsents, { id: unknownId, token: "t" });
    assert.equal((await service.fetch(unknown, { token: site.token })).status, 404);
  });
});

test("`state` includes documents and processings that only the project's own fields name", async () => {
  const site = await newSite();
  const documents = [
    { identifier: "paper-terms", name: "Terms on paper" },
    { name: "No identifier" },
  ];
  const { token } = site;
  const at = hrefOf("", paths.clientProject, { id: site.id });
  const patched = await service.fetch(at, { method: "PATCH", token, json: { documents } });
  assert.equal(patched.status, 200, JSON.stringify(patched.body));
  const { body } = await service.fetch(
    hrefOf("", paths.clientConsents, { id: site.id, token: "nobody" }),
    { token },
  );
  const named = body.state.filter((e: { name: string }) =>
    ["Terms on paper", "No identifier"].includes(e.name),
  );
  assert.deepEqual(
    named.map((e: Record<string, unknown>) => [e["collection"], e["status"], e["accept"]]),
    [
      ["contracts", "never-asked", false],
      ["contracts", "never-asked", false],
    ],
  );
  for (const { links } of named) {
    const accepted = await service.fetch(links.accepted, { token });
    assert.deepEqual([accepted.status, accepted.body.items], [200, []]);
  }
});

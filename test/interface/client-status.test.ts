import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { hrefOf, paths } from "@avow/contract/urls";
import { service } from "../harness.ts";
import { openClockedSite } from "./clocked.ts";
import { type Site, collect, newSite, publish, share } from "./site.ts";

const day = 86_400_000;

async function readStatus(
  site: Pick<Site, "id" | "token">,
  status: string,
  { identifier, ...query }: { identifier: string } & Record<string, string>,
) {
  const at = hrefOf("", paths.clientStatusItem, { id: site.id, status, identifier }, query);
  return service.fetch(at, { token: site.token });
}

async function listTokens(site: Site, status: string, identifier = site.cookies) {
  const { status: code, body } = await readStatus(site, status, { identifier });
  assert.equal(code, 200, JSON.stringify(body));
  return body.items.map((item: { token: string }) => item.token);
}

/** Answers for the two vendors of the banner. */
async function answerBanner(site: Site, token: string, matomo: boolean, chat: boolean) {
  const preferences = { vendors: { matomo, chat } };
  const json = { accept: matomo || chat, token, preferences };
  const { status, body } = await collect(site, "cookies", site.cookies, json);
  assert.equal(status, 201, JSON.stringify(body));
  return body;
}

describe("GET /v1/client/{id}/tokens/{status}/{identifier}", () => {
  let site: Site;
  before(async () => {
    site = await newSite();
    await publish(site);
    await answerBanner(site, "all", true, true);
    await answerBanner(site, "none", false, false);
    await answerBanner(site, "some", true, false);
    await answerBanner(site, "more", false, false);
    await answerBanner(site, "more", true, false);
    await answerBanner(site, "less", true, true);
    await answerBanner(site, "less", true, false);
    await answerBanner(site, "gone", true, true);
    await answerBanner(site, "gone", false, false);
  });

  test("lists tokens that accept part of a banner, newest first, whatever they accepted before", async () => {
    assert.deepEqual(await listTokens(site, "partly"), ["less", "more", "some"]);
  });

  test("lists tokens that refused everything and never accepted any of it", async () => {
    assert.deepEqual(await listTokens(site, "refused"), ["none"]);
    assert.deepEqual(await listTokens(site, "refused", `${site.cookies}/chat`), [
      "more",
      "some",
      "none",
    ]);
  });

  test("lists tokens that withdrew something, for a whole banner or one vendor", async () => {
    assert.deepEqual(await listTokens(site, "withdrawn"), ["gone", "less"]);
    assert.deepEqual(await listTokens(site, "withdrawn", `${site.cookies}/matomo`), ["gone"]);
    assert.deepEqual(await listTokens(site, "withdrawn", `${site.cookies}/chat`), ["gone", "less"]);
  });

  test("returns for each token its start, the record that caused it, and a link to its details", async () => {
    const { body } = await readStatus(site, "partly", { identifier: site.cookies });
    const item = body.items.find(({ token }: { token: string }) => token === "less");
    const history = await service.fetch(item.links.consents, { token: site.token });
    assert.equal(history.body.token, "less");
    const [newest] = history.body.history;
    assert.equal(item.consentId, newest.consentId);
    assert.equal(item.since, newest.createdAt);
  });

  test("pages every token once, and ends", async () => {
    for (const status of ["partly", "withdrawn"]) {
      const whole = await listTokens(site, status);
      const seen: string[] = [];
      let page = await readStatus(site, status, { identifier: site.cookies, limit: "1" });
      for (let pages = 0; pages < 10; pages += 1) {
        assert.ok(page.body.items.length <= 1);
        seen.push(...page.body.items.map(({ token }: { token: string }) => token));
        const { next } = page.body.links;
        if (next === undefined) break;
        page = await service.fetch(next, { token: site.token });
        assert.equal(page.status, 200);
      }
      assert.deepEqual(seen, whole);
      assert.equal(page.body.links.next, undefined);
    }
  });

  test("is also available as CSV without formulas", async () => {
    await answerBanner(site, "=1+1", true, false);
    const at = hrefOf("", paths.clientStatusItem, {
      id: site.id,
      status: "partly",
      identifier: site.cookies,
    });
    const headers = { accept: "text/csv" };
    const { body } = await service.fetch(at, { token: site.token, headers });
    const [head, first, ...more] = body.trimEnd().split("\r\n");
    assert.equal(head, "token;since;consentId");
    assert.match(first, /^'=1\+1;|^"'=1\+1";/);
    assert.equal(more.length, 3);
  });

  test("returns 400 for an unknown state, `partly` of a vendor, and a foreign cursor; 404 for what was never asked", async () => {
    const identifier = site.cookies;
    assert.equal((await readStatus(site, "superseded", { identifier })).status, 400);
    const vendor = await readStatus(site, "partly", { identifier: `${identifier}/chat` });
    assert.equal(vendor.status, 400);
    assert.match(vendor.body.detail, /configuration as a whole/);
    const cursor = Buffer.from(JSON.stringify(["no id"])).toString("base64url");
    for (const strange of ["x", cursor])
      assert.equal(
        (await readStatus(site, "expired", { identifier, cursor: strange })).status,
        400,
      );
    const unknown = { identifier: "0123456789abcdef01234567" };
    for (const status of ["partly", "refused", "withdrawn", "expired"])
      assert.equal((await readStatus(site, status, unknown)).status, 404, status);
  });

  test("is for readers of consents, auditors included, and nobody else", async () => {
    const { cookies: identifier } = site;
    const token = await share(site, "auditor");
    assert.equal((await readStatus({ id: site.id, token }, "partly", { identifier })).status, 200);
    const stranger = await service.newUser();
    const of = { id: site.id, token: stranger.token };
    assert.equal((await readStatus(of, "partly", { identifier })).status, 404);
    assert.equal((await readStatus({ ...of, token: "" }, "partly", { identifier })).status, 403);
  });
});

describe("expired consents", () => {
  let opened: Awaited<ReturnType<typeof openClockedSite>>;
  before(async () => {
    opened = await openClockedSite();
  });
  after(() => opened[Symbol.asyncDispose]());

  /** Answers for the two vendors, or for one of them alone. */
  const answerAt = async (days: number, token: string, vendors: Record<string, boolean>) => {
    opened.setAhead(days * day);
    const accept = Object.values(vendors).includes(true);
    const at = `/v1/app/consents/${opened.id}/cookies/${opened.cookies}`;
    const { status, body } = await opened.send(at, {
      json: { token, accept, preferences: { vendors } },
    });
    assert.equal(status, 201, JSON.stringify(body));
  };
  const list = async (status: string, name = opened.cookies, limit = "100") => {
    const params = { id: opened.id, status, identifier: name };
    const tokens: string[] = [];
    let at: string | undefined = hrefOf("", paths.clientStatusItem, params, { limit });
    for (let pages = 0; at !== undefined && pages < 20; pages += 1) {
      const answer: Awaited<ReturnType<typeof opened.send>> = await opened.send(at);
      assert.equal(answer.status, 200, JSON.stringify(answer.body));
      tokens.push(...answer.body.items.map(({ token }: { token: string }) => token));
      at = answer.body.links.next;
    }
    assert.equal(at, undefined);
    return tokens;
  };

  test("are listed oldest first, once each, without tokens that answered again, and in no other list", async () => {
    const both = { matomo: true, chat: false };
    await answerAt(0, "zoe", both);
    await answerAt(0.1, "adam", both);
    await answerAt(0.2, "back", both);
    await answerAt(0.3, "half", both);
    assert.deepEqual(await list("partly"), ["half", "back", "adam", "zoe"]);
    assert.deepEqual(await list("expired"), []);
    await answerAt(0.9, "back", both);
    // An answer for one vendor alone: the other vendor's has its own expiry.
    await answerAt(0.9, "half", { matomo: true });
    opened.setAhead(1.5 * day);
    assert.deepEqual(await list("expired"), ["zoe", "adam", "half"]);
    assert.deepEqual(await list("expired", opened.cookies, "1"), ["zoe", "adam", "half"]);
    assert.deepEqual(await list("expired", `${opened.cookies}/matomo`), ["zoe", "adam"]);
    assert.deepEqual(await list("partly"), ["back"]);
    opened.setAhead(2 * day);
    assert.deepEqual(await list("expired"), ["zoe", "adam", "half", "back"]);
    assert.deepEqual(await list("partly"), []);
  });
});

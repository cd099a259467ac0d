import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { hrefOf, paths } from "@avow/contract/urls";
import { service } from "../harness.ts";
import { waitForProof } from "./proofs.ts";
import { type Site, collect, newSite, publish, share } from "./site.ts";

const unknownId = "0123456789abcdef01234567";
const day = 86_400_000;

async function readAccepted(site: Site, identifier: string, query: Record<string, string> = {}) {
  const at = hrefOf("", paths.clientAcceptedItem, { id: site.id, identifier }, query);
  return service.fetch(at, { token: site.token });
}

async function listTokens(site: Site, identifier: string): Promise<string[]> {
  const { status, body } = await readAccepted(site, identifier);
  assert.equal(status, 200, JSON.stringify(body));
  return body.items.map((item: { token: string }) => item.token);
}

describe("GET /v1/client/{id}/tokens/accepted/{identifier}", () => {
  test("returns a cursor list of { token, since, consentId } of all tokens that gave the consent", async () => {
    const site = await newSite();
    const first = await collect(site, "processings", site.processing, { accept: true, token: "a" });
    await collect(site, "processings", site.processing, { accept: true, token: "b" });
    await collect(site, "processings", site.processing, { accept: false, token: "b" });
    await collect(site, "processings", site.processing, { accept: false, token: "c" });
    const again = await collect(site, "processings", site.processing, { accept: true, token: "a" });
    const { status, body } = await readAccepted(site, site.processing);
    assert.equal(status, 200);
    const [{ links, ...item }, ...more] = body.items;
    assert.deepEqual(more, []);
    assert.deepEqual(item, {
      token: "a",
      since: first.body.createdAt,
      consentId: again.body.consentId,
    });
    assert.equal((await service.fetch(links.consents, { token: site.token })).body.token, "a");
  });

  test("accepts a configuration's id, or {configurationId}/{vendor}, its slash encoded or not, as identifier", async () => {
    const site = await newSite();
    const preferences = { vendors: { matomo: true, chat: false } };
    await collect(site, "cookies", site.cookies, { accept: true, token: "t", preferences });
    await collect(site, "contracts", site.contract, { accept: true, token: "u" });
    assert.deepEqual(await listTokens(site, site.cookies), ["t"]);
    assert.deepEqual(await listTokens(site, site.contract), ["u"]);
    assert.deepEqual(await listTokens(site, `${site.cookies}/matomo`), ["t"]);
    assert.deepEqual(await listTokens(site, `${site.cookies}/chat`), []);
    const plain = `/v1/client/${site.id}/tokens/accepted/${site.cookies}/matomo`;
    const { body } = await service.fetch(plain, { token: site.token });
    assert.deepEqual(body.items, (await readAccepted(site, `${site.cookies}/matomo`)).body.items);
    assert.deepEqual(
      body.items.map((i: { token: string }) => i.token),
      ["t"],
    );
  });

  test("excludes expired and superseded consents", async () => {
    const site = await newSite();
    await publish(site);
    await collect(site, "processings", site.processing, { accept: true, token: "t" });
    const path = `/v1/vault/processings/${site.processing}`;
    const json = { purpose: "Other", settings: { expiresAfterDays: 1 } };
    await service.fetch(path, { method: "PATCH", token: site.token, json });
    await publish(site);
    assert.deepEqual(await listTokens(site, site.processing), [], "superseded");
    await collect(site, "processings", site.processing, { accept: true, token: "u" });
    assert.deepEqual(await listTokens(site, site.processing), ["u"]);
    service.clock.advance(2 * day);
    const later = await listTokens(site, site.processing);
    service.clock.reset();
    assert.deepEqual(later, [], "expired");
  });

  test("uses the last offer for items that are no longer offered", async () => {
    const site = await newSite();
    await publish(site);
    await collect(site, "cookies", site.cookies, { accept: true, token: "t" });
    const path = `/v1/vault/cookies/${site.cookies}`;
    await service.fetch(path, { method: "PATCH", token: site.token, json: { steps: [] } });
    await publish(site);
    assert.deepEqual(await listTokens(site, `${site.cookies}/matomo`), ["t"]);
  });

  test("returns 404 for an unknown identifier or foreign project, 403 without a token; an auditor may read", async () => {
    const [site, other] = await Promise.all([newSite(), newSite()]);
    assert.equal((await readAccepted(site, unknownId)).status, 404);
    assert.equal((await readAccepted(site, `${site.cookies}/nobody`)).status, 404);
    assert.equal((await readAccepted(site, other.processing)).status, 404);
    assert.equal(
      (await readAccepted({ ...other, token: site.token }, other.processing)).status,
      404,
    );
    const at = hrefOf("", paths.clientAcceptedItem, { id: site.id, identifier: site.processing });
    assert.equal((await service.fetch(at)).status, 403);
    assert.equal((await service.fetch(at, { token: await share(site, "auditor") })).status, 200);
  });
});

describe("GET /v1/client/{id}/tokens/accepted", () => {
  test("lists the available identifiers: [{ identifier, name, collection, links }]", async () => {
    const site = await newSite();
    const at = hrefOf("", paths.clientAccepted, { id: site.id });
    const { status, body } = await service.fetch(at, { token: site.token });
    assert.equal(status, 200);
    const shown = body.map(({ identifier, name, collection }: Record<string, string>) => [
      identifier,
      name,
      collection,
    ]);
    const expected = [
      [site.cookies, "Banner", "cookies"],
      [`${site.cookies}/matomo`, "Matomo", "cookies"],
      [`${site.cookies}/chat`, "Chat", "cookies"],
      [site.processing, "Newsletter", "processings"],
      [site.contract, "terms", "contracts"],
    ];
    const byIdentifier = ([a = ""]: string[], [b = ""]: string[]) => (a < b ? -1 : 1);
    assert.deepEqual(shown.toSorted(byIdentifier), expected.toSorted(byIdentifier));
    for (const { links } of body)
      assert.equal((await service.fetch(links.accepted, { token: site.token })).status, 200);
    assert.equal((await service.fetch(at)).status, 403);
    const other = await service.newUser();
    assert.equal((await service.fetch(at, { token: other.token })).status, 404);
  });
});

describe("a crawler that starts at /v1/client/ and follows `links`", () => {
  test("reaches every token and every history, two at a time", async () => {
    const site = await newSite();
    await publish(site);
    const tokens = Array.from({ length: 7 }, (_, n) => `person ${n}/é`);
    const sent = new Map<string, string>();
    for (const token of tokens)
      for (const accept of [true, false, true]) {
        const { body } = await collect(site, "cookies", site.cookies, { accept, token });
        sent.set(body.consentId, token);
      }
    // Each of them links its proof.
    for (const [consentId, token] of sent) await waitForProof(consentId, token);
    const seen = { tokens: new Set<string>(), history: new Set<string>() };
    const queue = [`${service.url}${paths.clientProjects}`];
    const visited = new Set<string>();
    for (let url = queue.shift(); url !== undefined; url = queue.shift()) {
      const at = new URL(url);
      // Small pages, so that the crawl depends on every `next`.
      if (/\/(tokens|consents\/[^/]+)$/.test(at.pathname)) at.searchParams.set("limit", "2");
      if (visited.has(at.href) || !at.href.startsWith(service.url)) continue;
      visited.add(at.href);
      assert.ok(visited.size < 500, "the crawl ends");
      const { status, body, headers } = await service.fetch(at.href, { token: site.token });
      // Other routes also link actions that only accept a POST: a restore, a rollback.
      if (status === 404 && !/^\/v1\/(client|app)\//.test(at.pathname)) continue;
      assert.equal(status, 200, `${at.href}: ${JSON.stringify(body)}`);
      if (/\/client\/[^/]+\/tokens$/.test(at.pathname))
        for (const { token } of body.items) seen.tokens.add(token);
      if (/\/client\/[^/]+\/consents\//.test(at.pathname))
        for (const { consentId } of body.history) seen.history.add(consentId);
      queue.push(...linksIn(body));
      const next = /<([^>]+)>; rel="next"/.exec(headers.get("link") ?? "")?.[1];
      if (next !== undefined) queue.push(next);
    }
    assert.deepEqual([...seen.tokens].toSorted(), tokens);
    assert.deepEqual(seen.history, new Set(sent.keys()));
  });
});

/** Every URL in a `links` object, at any depth. */
function linksIn(body: unknown): string[] {
  if (typeof body !== "object" || body === null) return [];
  return Object.entries(body).flatMap(([name, value]: [string, unknown]) =>
    name === "links" ? Object.values(value as Record<string, string>) : linksIn(value),
  );
}

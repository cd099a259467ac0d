import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { sql } from "kysely";
import { hrefOf, paths } from "@avow/contract/urls";
import { service } from "../harness.ts";
import { erase } from "./erasures.ts";
import { askForLink, newLink, post } from "./persons.ts";
import { type Site, collect, newSite, share } from "./site.ts";
import { newLiveSite } from "./tickets.ts";

const unknownId = "0123456789abcdef01234567";
const DAY_MS = 86_400_000;

/** A site with a banner that a token has answered. */
async function newAnsweredSite(token = "ann"): Promise<Site> {
  const site = await newLiveSite();
  assert.equal((await collect(site, "cookies", site.cookies, { accept: true, token })).status, 201);
  return site;
}

const list = (site: Pick<Site, "id">, token: string, query: Record<string, string> = {}) =>
  service.fetch(hrefOf("", paths.personLinks, { id: site.id }, query), { token });
const revoke = (site: Pick<Site, "id">, linkId: string, token: string) =>
  service.fetch(hrefOf("", paths.personLink, { id: site.id, linkId }), { method: "DELETE", token });
const setVisitorLinks = async (site: Site, visitorLinks: boolean): Promise<void> => {
  const path = `/v1/vault/projects/${site.id}`;
  const json = { personPage: { visitorLinks } };
  const { status } = await service.fetch(path, { method: "PATCH", token: site.token, json });
  assert.equal(status, 200);
};
const open = async (url: string) => (await service.fetch(url)).status;

describe("POST /v1/client/{id}/links", () => {
  it("returns a URL once, for a known token: 256 random bits without its data", async () => {
    const site = await newAnsweredSite();
    const { status, body, headers } = await askForLink(site, { token: "ann" });
    assert.equal(status, 201, JSON.stringify(body));
    const prefix = `${service.config.http.publicUrl}/c/${site.id}/`;
    assert.ok(body.url.startsWith(prefix), body.url);
    const secret = body.url.slice(prefix.length);
    assert.equal(Buffer.from(secret, "base64url").length, 32);
    assert.doesNotMatch(secret, /ann/);
    assert.equal(body.createdBy, "visitor");
    assert.equal(headers.get("cache-control"), "no-store");
    const leftMs = Date.parse(body.expiresAt) - service.clock.now().getTime();
    assert.ok(leftMs > 29 * DAY_MS && leftMs <= 30 * DAY_MS, body.expiresAt);
    const { rows } = await sql<{ row: string }>`
      SELECT to_jsonb(l)::text || encode(l.hash, 'base64') AS row FROM person_links l
      WHERE project_id = ${site.id}`.execute(service.data);
    assert.equal(rows.length, 1);
    assert.ok(!rows[0]?.row.includes(secret), "the database has only its hash");
    assert.equal(await open(body.url), 200);
  });

  it("allows every origin, and returns another URL each time", async () => {
    const site = await newAnsweredSite();
    const headers = { origin: "https://shop.example" };
    const first = await askForLink(site, { token: "ann" }, { headers });
    assert.equal(first.headers.get("access-control-allow-origin"), "*");
    assert.notEqual((await newLink(site, "ann")).url, first.body.url);
  });

  it("returns 404 without the project or any record of the token, 400 for a past or far expiry", async () => {
    const site = await newAnsweredSite();
    assert.equal((await askForLink({ id: unknownId }, { token: "ann" })).status, 404);
    assert.equal((await askForLink(site, { token: "bob" })).status, 404);
    assert.equal((await askForLink(site, {})).status, 400);
    for (const days of [-1, 400]) {
      const expiresAt = new Date(service.clock.now().getTime() + days * DAY_MS).toISOString();
      const { status, body } = await askForLink(site, { token: "ann", expiresAt });
      assert.equal(status, 400);
      assert.equal(body.errors[0].path, "/expiresAt");
    }
  });

  it("with an access token requires the right to add consents: not viewers, not strangers", async () => {
    const site = await newAnsweredSite();
    const made = await newLink(site, "ann", { token: site.token });
    assert.equal((await list(site, site.token)).body.items[0].createdBy, site.userId);
    assert.ok(made.id);
    for (const [role, status] of [
      ["editor", 201],
      ["viewer", 403],
      ["auditor", 403],
    ] as const) {
      const token = await share(site, role);
      assert.equal((await askForLink(site, { token: "ann" }, { token })).status, status, role);
    }
    const stranger = await service.newUser();
    assert.equal((await askForLink(site, { token: "ann" }, stranger)).status, 404);
  });

  it("keeps the newest twenty of visitors for a token, and as many of other creators", async () => {
    const site = await newAnsweredSite();
    const [mailed, first] = [
      await newLink(site, "ann", { token: site.token }),
      await newLink(site, "ann"),
    ];
    for (let n = 0; n < 20; n += 1) await newLink(site, "ann");
    assert.equal((await list(site, site.token)).body.items.length, 21);
    assert.equal(await open(first.url), 404, "the oldest of the visitors' is revoked");
    assert.equal(await open(mailed.url), 200, "visitors' links revoke no mailed one");
    const visitors = await newLink(site, "ann");
    for (let n = 0; n < 20; n += 1) await newLink(site, "ann", { token: site.token });
    assert.equal(await open(mailed.url), 404, "twenty newer ones of the same kind were created");
    assert.equal(await open(visitors.url), 200);
  });

  it("creates none for visitors where the project disables it, and disables their earlier ones", async () => {
    const site = await newAnsweredSite();
    const [mailed, visitors] = [
      await newLink(site, "ann", { token: site.token }),
      await newLink(site, "ann"),
    ];
    await setVisitorLinks(site, false);
    const { status, body } = await askForLink(site, { token: "ann" });
    assert.equal(status, 403);
    assert.match(body.detail, /Ask its site/);
    assert.equal((await askForLink(site, { token: "nobody" })).status, 403, "reveals no token");
    assert.equal(await open(visitors.url), 404);
    assert.equal(await open(mailed.url), 200);
    await newLink(site, "ann", { token: site.token });
    await setVisitorLinks(site, true);
    assert.equal(await open(visitors.url), 200);
  });
});

describe("links to a person's page", () => {
  it("are listed without their URLs, by token, in pages, and revoked immediately", async () => {
    const site = await newAnsweredSite();
    await collect(site, "cookies", site.cookies, { accept: true, token: "bob" });
    const [one, two] = [await newLink(site, "ann"), await newLink(site, "bob")];
    const all = await list(site, site.token);
    assert.deepEqual(
      new Set(all.body.items.map(({ id }: { id: string }) => id)),
      new Set([one.id, two.id]),
    );
    const secret = one.url.split("/").at(-1) ?? "";
    assert.ok(!JSON.stringify(all.body).includes(secret));
    const bobs = await list(site, site.token, { token: "bob" });
    assert.deepEqual(
      bobs.body.items.map(({ id }: { id: string }) => id),
      [two.id],
    );
    const page = await list(site, site.token, { limit: "1" });
    const next = await service.fetch(page.body.links.next, { token: site.token });
    assert.equal(next.body.items.length, 1);
    assert.notEqual(next.body.items[0].id, page.body.items[0].id);
    assert.equal((await revoke(site, one.id, site.token)).status, 204);
    assert.equal(await open(one.url), 404);
    assert.equal(await open(two.url), 200);
    assert.equal((await revoke(site, one.id, site.token)).status, 404);
  });

  it("cannot be created again after revocation with the token of a receipt, until the project creates one", async () => {
    const site = await newAnsweredSite();
    await collect(site, "cookies", site.cookies, { accept: true, token: "bob" });
    const [mailed, kept] = [
      await newLink(site, "ann", { token: site.token }),
      await newLink(site, "ann", { token: site.token }),
    ];
    const [visitors, bobs] = [await newLink(site, "ann"), await newLink(site, "bob")];
    const answersOf = (token: string) =>
      service.fetch(hrefOf("", paths.personAnswers, { id: site.id }), { json: { token } });
    assert.equal((await revoke(site, mailed.id, site.token)).status, 204);
    for (const { url } of [mailed, visitors]) assert.equal(await open(url), 404);
    for (const { url } of [kept, bobs]) assert.equal(await open(url), 200);
    const again = await askForLink(site, { token: "ann" });
    assert.deepEqual(
      [again.status, /revoked.*Ask (its|the) site/.test(again.body.detail)],
      [403, true],
    );
    assert.equal((await answersOf("ann")).status, 403);
    assert.equal((await answersOf("bob")).status, 200);
    const viewer = await share(site, "viewer");
    assert.equal((await askForLink(site, { token: "ann" }, { token: viewer })).status, 403);
    assert.equal(
      (await askForLink(site, { token: "ann" })).status,
      403,
      "a rejection creates nothing",
    );
    await newLink(site, "ann", { token: site.token });
    assert.equal(await open((await newLink(site, "ann")).url), 200);
    assert.equal((await answersOf("ann")).status, 200);
  });

  it("are deleted with the token, as is the record of their revocation", async () => {
    const site = await newAnsweredSite();
    const { id } = await newLink(site, "ann", { token: site.token });
    assert.equal((await revoke(site, id, site.token)).status, 204);
    assert.equal((await erase(site, "ann")).status, 200);
    const { rows } = await sql`
      SELECT token FROM closed_pages WHERE project_id = ${site.id}`.execute(service.data);
    assert.deepEqual(rows, []);
  });

  it("are private to the organization: 404 for strangers, 403 for viewers who revoke", async () => {
    const site = await newAnsweredSite();
    const { id, url } = await newLink(site, "ann");
    const stranger = await service.newUser();
    assert.equal((await list(site, stranger.token)).status, 404);
    assert.equal((await revoke(site, id, stranger.token)).status, 404);
    const viewer = await share(site, "viewer");
    assert.equal((await list(site, viewer)).status, 200);
    assert.equal((await revoke(site, id, viewer)).status, 403);
    assert.equal(await open(url), 200);
    const other = await newSite();
    assert.equal((await revoke(other, id, other.token)).status, 404);
  });

  it("stop working at their expiry, and when the token is erased", async () => {
    const site = await newAnsweredSite();
    const expiresAt = new Date(service.clock.now().getTime() + 60_000).toISOString();
    const short = await askForLink(site, { token: "ann", expiresAt });
    const { url } = await newLink(site, "ann");
    assert.equal(await open(short.body.url), 200);
    service.clock.advance(60_000);
    assert.equal(await open(short.body.url), 404);
    assert.equal(await open(url), 200);
    assert.equal((await erase(site, "ann")).status, 200);
    assert.equal(await open(url), 404);
    assert.equal((await post(url, { do: "accept", identifier: site.cookies })).status, 404);
    assert.equal((await askForLink(site, { token: "ann" })).status, 404);
    const { rows } = await sql`
      SELECT id FROM person_links WHERE project_id = ${site.id}`.execute(service.data);
    assert.deepEqual(rows.length, 0);
  });
});

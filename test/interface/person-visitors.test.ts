import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import { hrefOf, paths } from "@avow/contract/urls";
import { type TestAnswer, service } from "../harness.ts";
import { openAnotherService } from "./another-service.ts";
import { type Site, collect } from "./site.ts";
import { newLiveSite } from "./tickets.ts";

/** Behind a proxy, so that a test may use any client address; two links a minute, twenty reads. */
const proxied = await openAnotherService(service.databaseUrl, {
  TRUST_PROXY: "on",
  VISITOR_LINKS_PER_MINUTE_MAX: "2",
});
after(() => proxied[Symbol.asyncDispose]());

interface From {
  ip: string;
  access?: string;
}

function ask(site: Site, path: string, { ip, access }: From): Promise<TestAnswer> {
  return service.fetch(proxied.url + hrefOf("", path, { id: site.id }), {
    json: { token: "ann" },
    headers: { "x-forwarded-for": ip, origin: "https://shop.example" },
    ...(access === undefined ? {} : { token: access }),
  });
}

async function newAnsweredSite(): Promise<Site> {
  const site = await newLiveSite();
  const { status } = await collect(site, "cookies", site.cookies, { accept: true, token: "ann" });
  assert.equal(status, 201);
  return site;
}

describe("visitors who know only a token", () => {
  it("get a limited number of links per minute and network, without affecting others", async () => {
    const site = await newAnsweredSite();
    const from = (ip: string, access?: string) =>
      ask(site, paths.personLinks, access === undefined ? { ip } : { ip, access });
    assert.equal((await from("198.51.100.1")).status, 201);
    assert.equal((await from("198.51.100.200")).status, 201);
    const { status, headers, body } = await from("198.51.100.3");
    assert.equal(status, 429, "of one /24");
    assert.equal(headers.get("retry-after"), "60");
    assert.equal(headers.get("access-control-allow-origin"), "*", "pages can read the reason");
    assert.doesNotMatch(JSON.stringify(body), /198\.51/);
    assert.equal((await from("198.51.101.1")).status, 201, "another network");
    assert.equal((await from("198.51.100.1", site.token)).status, 201, "an access token");
  });

  it("get ten times as many reads of their answers", async () => {
    const site = await newAnsweredSite();
    const from = (ip: string, access?: string) =>
      ask(site, paths.personAnswers, access === undefined ? { ip } : { ip, access });
    for (let n = 0; n < 20; n += 1) assert.equal((await from(`2001:db8:1:${n}::1`)).status, 200);
    assert.equal((await from("2001:db8:1:ffff::1")).status, 429, "of one /48");
    assert.equal((await from("2001:db8:2::1")).status, 200);
    assert.equal((await from("2001:db8:1::1", site.token)).status, 200);
  });

  it("get nothing where the project disables it: neither links nor answers", async () => {
    const site = await newAnsweredSite();
    const path = `/v1/vault/projects/${site.id}`;
    const json = { personPage: { visitorLinks: false } };
    await service.fetch(path, { method: "PATCH", token: site.token, json });
    const ip = "203.0.113.1";
    for (const what of [paths.personLinks, paths.personAnswers]) {
      assert.equal((await ask(site, what, { ip })).status, 403);
      const { status } = await ask(site, what, { ip, access: site.token });
      assert.ok(status === 200 || status === 201, String(status));
    }
  });

  it("get nothing where the operator disables it", async () => {
    const site = await newAnsweredSite();
    await using closed = await openAnotherService(service.databaseUrl, {
      VISITOR_LINKS_PER_MINUTE_MAX: "0",
    });
    const json = { token: "ann" };
    for (const what of [paths.personLinks, paths.personAnswers]) {
      const href = closed.url + hrefOf("", what, { id: site.id });
      assert.equal((await service.fetch(href, { json })).status, 403);
      const { status } = await service.fetch(href, { json, token: site.token });
      assert.ok(status === 200 || status === 201, String(status));
    }
  });
});

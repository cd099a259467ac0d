import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import { hrefOf, paths } from "@avow/contract/urls";
import { type TestAnswer, service } from "../harness.ts";
import { openAnotherService } from "./another-service.ts";
import { waitForProof } from "./proofs.ts";
import { type Site, collect } from "./site.ts";
import { newLiveSite } from "./tickets.ts";

const MISSES_MAX = 5;
/** Behind a proxy, so that a test may use any client address. */
const proxied = await openAnotherService(service.databaseUrl, {
  TRUST_PROXY: "1",
  VISITOR_MISSES_PER_MINUTE_MAX: String(MISSES_MAX),
});
after(() => proxied[Symbol.asyncDispose]());

function readLatest(ip: string, query: Record<string, string>, site: Site): Promise<TestAnswer> {
  const href = hrefOf(proxied.url, paths.latestConsent, { projectId: site.id }, query);
  return service.fetch(href, {
    headers: { "x-forwarded-for": ip, origin: "https://shop.example" },
  });
}

function readProof(ip: string, consentId: string, token: string): Promise<TestAnswer> {
  const href = hrefOf(proxied.url, paths.proof, { consentId }, { token });
  return service.fetch(href, {
    headers: { "x-forwarded-for": ip, origin: "https://shop.example" },
  });
}

async function newAnsweredSite(): Promise<Site & { consentId: string }> {
  const site = await newLiveSite();
  const { status, body } = await collect(site, "cookies", site.cookies, {
    accept: true,
    token: "ann",
  });
  assert.equal(status, 201);
  return { ...site, consentId: body.consentId };
}

describe("look-ups by a visitor's token", () => {
  it("are limited to a number of misses of one network, whatever the token then", async () => {
    const site = await newAnsweredSite();
    for (let n = 0; n < MISSES_MAX; n += 1) {
      const { status, body } = await readLatest(`198.51.100.${n}`, { token: `guess-${n}` }, site);
      assert.deepEqual([status, body], [200, { accept: false }]);
    }
    for (const token of ["guess", "ann"]) {
      const { status, headers, body } = await readLatest("198.51.100.77", { token }, site);
      assert.equal(status, 429, token);
      assert.equal(headers.get("retry-after"), "60");
      assert.equal(headers.get("access-control-allow-origin"), "*", "pages can read the reason");
      assert.doesNotMatch(JSON.stringify(body), /198\.51|ann/);
    }
    assert.equal((await readProof("198.51.100.1", site.consentId, "ann")).status, 429);
    const other = await readLatest("198.51.101.1", { token: "ann" }, site);
    assert.deepEqual([other.status, other.body.accept], [200, true], "another network");
  });

  it("are never limited while they find something, also beside a few misses", async () => {
    const site = await newAnsweredSite();
    const [ip, token] = ["2001:db8:7:1::1", "ann"];
    for (let n = 0; n < MISSES_MAX - 1; n += 1)
      assert.equal((await readLatest(ip, { token: `lost-${n}` }, site)).status, 200);
    for (let n = 0; n < 3 * MISSES_MAX; n += 1) {
      assert.equal((await readLatest(ip, { token }, site)).body.accept, true);
      const unanswered = { token, service: "contracts", identifier: site.contract };
      const { status, body } = await readLatest(ip, unanswered, site);
      assert.deepEqual([status, body], [200, { accept: false }], "a question never answered");
    }
  });

  it("are limited like sequential ones when they are concurrent", async () => {
    const site = await newAnsweredSite();
    const answers = await Promise.all(
      Array.from({ length: 20 * MISSES_MAX }, (_, n) =>
        readLatest(`2001:db8:8:${n}::1`, { token: `guess-${n}` }, site),
      ),
    );
    const count = (wanted: number) => answers.filter(({ status }) => status === wanted).length;
    assert.deepEqual([count(200), count(429)], [MISSES_MAX, 19 * MISSES_MAX]);
  });

  it("count wrong tokens of a proof, while the right one and an access token work", async () => {
    const site = await newAnsweredSite();
    const { consentId } = site;
    await waitForProof(consentId, "ann");
    const ip = "203.0.113.1";
    for (let n = 0; n < MISSES_MAX; n += 1) {
      assert.equal((await readProof(ip, consentId, "ann")).status, 200);
      assert.equal((await readProof(ip, consentId, `guess-${n}`)).status, 404);
    }
    for (const token of ["guess", "ann"])
      assert.equal((await readProof(ip, consentId, token)).status, 429, token);
    const owner = await service.fetch(hrefOf(proxied.url, paths.proof, { consentId }), {
      token: site.token,
      headers: { "x-forwarded-for": ip },
    });
    assert.equal(owner.status, 200);
    assert.equal((await readProof("203.0.114.1", consentId, "ann")).status, 200);
  });
});

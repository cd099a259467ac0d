import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import type { ConsentOut } from "@avow/contract/consents";
import { loadConfig } from "../../packages/server/config/config.ts";
import { openRegions } from "../../packages/server/platform/regions/regions.ts";
import { service } from "../harness.ts";
import { writeMmdb } from "../mmdb.ts";
import { openAnotherService } from "./another-service.ts";
import { publishAndWait } from "./publishing.ts";

const folder = await mkdtemp(join(tmpdir(), "avow-regions-"));
after(() => rm(folder, { recursive: true, force: true }));
const database = join(folder, "cities.mmdb");
await writeMmdb(database, {
  "203.0.113.7": { country: { iso_code: "US" }, subdivisions: [{ iso_code: "CA" }] },
  "203.0.113.8": { country: { iso_code: "FR" } },
  "203.0.113.9": {},
});

interface RegionOut {
  region: string | null;
  gpc: boolean;
}

async function readRegion(url: string, headers: Record<string, string>): Promise<RegionOut> {
  const answer = await fetch(`${url}/v1/client/region`, { headers });
  assert.equal(answer.status, 200);
  assert.match(answer.headers.get("cache-control") ?? "", /^private/);
  return (await answer.json()) as RegionOut;
}

describe("the visitor's region", () => {
  it("comes from the headers of the edge, if a trusted proxy sends them", async () => {
    for (const [edge, country, subdivision] of [
      ["cloudflare", "cf-ipcountry", "cf-region-code"],
      ["cloudfront", "cloudfront-viewer-country", "cloudfront-viewer-country-region"],
      ["vercel", "x-vercel-ip-country", "x-vercel-ip-country-region"],
      ["fastly", "fastly-geo-country", "fastly-geo-region"],
      ["X-My-Country, X-My-State", "x-my-country", "x-my-state"],
    ] as const) {
      const { regions } = loadConfig({ REGION_HEADERS: edge, TRUST_PROXY: "1" }).config;
      const opened = await openRegions(regions);
      const send = (headers: Record<string, string>, ip = "203.0.113.7") =>
        opened.findRegion({ headers, ip, socket: { remoteAddress: "10.0.0.1" } });
      assert.equal(send({ [country]: "us", [subdivision]: "ca" }), "US-CA", edge);
      assert.equal(send({ [country]: "FR" }), "FR");
      for (const unknown of ["XX", "T1", "", "EU", "France"])
        assert.equal(send({ [country]: unknown }), undefined, unknown);
      assert.equal(send({ [country]: "FR" }, "10.0.0.1"), undefined, "no proxy named a visitor");
    }
  });

  it("comes from an MMDB file, which no other party sees, and is part of the record", async () => {
    const { token } = await service.newUser();
    const { id: projectId } = await service.newProject(token);
    const { body: cookies } = await service.fetch("/v1/vault/cookies", {
      token,
      json: {
        projectId,
        language: "en",
        regions: [
          { in: ["US_PRIVACY"], model: "opt-out" },
          { in: ["*"], model: "opt-in" },
        ],
        steps: [{ name: "all", layout: "category", vendors: [{ name: "one", title: "One" }] }],
      },
    });
    await publishAndWait(token, projectId, { force: true });
    await using proxied = await openAnotherService(service.databaseUrl, {
      TRUST_PROXY: "1",
      REGION_HEADERS: "cloudflare",
      REGION_DATABASE: database,
    });
    const from = (ip: string, more = {}) => ({ "x-forwarded-for": ip, ...more });
    const { url } = proxied;
    assert.deepEqual(await readRegion(url, from("203.0.113.7")), { region: "US-CA", gpc: false });
    assert.deepEqual(await readRegion(url, from("203.0.113.8", { "sec-gpc": "1" })), {
      region: "FR",
      gpc: true,
    });
    for (const ip of ["203.0.113.9", "203.0.113.10", "::1"])
      assert.equal((await readRegion(url, from(ip))).region, null, ip);
    const headers = from("203.0.113.8", { "cf-ipcountry": "BR" });
    assert.equal((await readRegion(url, headers)).region, "BR", "the edge knows better");

    const answer = await fetch(`${url}/v1/app/consents/${projectId}/cookies/${cookies.id}`, {
      method: "POST",
      headers: { "content-type": "application/json", ...from("203.0.113.7") },
      body: JSON.stringify({
        accept: false,
        preferences: { vendors: { one: false }, model: "opt-out", region: "US-CA" },
      }),
    });
    const record = (await answer.json()) as ConsentOut;
    assert.equal(answer.status, 201, JSON.stringify(record));
    assert.equal(record.headers.country, "US");
    assert.deepEqual(record.preferences, {
      vendors: { one: false },
      model: "opt-out",
      region: "US-CA",
    });
    const { body: listed } = await service.fetch(`/v1/app/consents/${projectId}`, { token });
    const [kept] = listed.items ?? listed;
    assert.equal(kept.headers.country, "US", "the country is stored");
  });

  it("is unknown without a source, and headers of visitors themselves are ignored", async () => {
    assert.deepEqual(await readRegion(service.url, { "cf-ipcountry": "US", "sec-gpc": "1" }), {
      region: null,
      gpc: true,
    });
  });

  it("names settings that cannot work at the start", async () => {
    assert.throws(
      () => loadConfig({ REGION_HEADERS: "cloudflare" }),
      /REGION_HEADERS: requires TRUST_PROXY/,
    );
    for (const wrong of ["cloudfare", "X-A,X-B,X-C", "X Country"])
      assert.throws(
        () => loadConfig({ REGION_HEADERS: wrong, TRUST_PROXY: "1" }),
        /REGION_HEADERS: expected one of cloudflare/,
      );
    const broken = join(folder, "broken.mmdb");
    await writeFile(broken, "no database");
    for (const path of [broken, join(folder, "missing.mmdb")])
      await assert.rejects(
        openRegions({ headers: undefined, database: path }),
        /REGION_DATABASE: the file .* cannot be read/,
      );
  });

  it("rejects models and regions that do not exist, and publishes groups as their regions", async () => {
    const { token } = await service.newUser();
    const { id: projectId } = await service.newProject(token);
    const post = (regions: unknown) =>
      service.fetch("/v1/vault/cookies", { token, json: { projectId, language: "en", regions } });
    for (const wrong of [
      [{ in: ["EEA"], model: "opt-inn" }],
      [{ in: ["Europe"], model: "opt-in" }],
      [{ in: [], model: "opt-in" }],
      [{ model: "opt-in" }],
    ])
      assert.equal((await post(wrong)).status, 400, JSON.stringify(wrong));
    const { status, body } = await post([
      { in: ["EEA", "FR", "CH"], model: "opt-in", message: "<p>Hi<script>x</script></p>" },
      { in: ["*"], model: "notice" },
    ]);
    assert.equal(status, 201);
    assert.equal(body.regions[0].message, "<p>Hi</p>");
    assert.deepEqual(body.regions[0].in, ["EEA", "FR", "CH"]);
    await publishAndWait(token, projectId, { force: true });
    const { body: file } = await service.fetch(`/cdn/${projectId}.json`);
    const [rule] = file.cookies[0].regions;
    assert.equal(rule.in.length, 38);
    assert.ok(rule.in.includes("FR") && rule.in.includes("CH") && !rule.in.includes("EEA"));
    assert.ok(file.widget.words.en.doNotSell);
  });
});

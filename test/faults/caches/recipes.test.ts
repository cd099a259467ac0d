import assert from "node:assert/strict";
import { test } from "node:test";
import { loadConfig } from "../../../packages/server/config/config.ts";
import { openPurgeCdn } from "../../../packages/server/platform/cdn/purge.ts";
import { openPurgeStandIn } from "../../stand-ins/purge.ts";
import { readRecipes } from "./recipes.ts";

test("docs/guides/cdn.md has a recipe for each of five networks, with valid settings", async () => {
  const recipes = await readRecipes();
  const names = ["CloudFront", "Varnish", "nginx", "Fastly", "Cloudflare"];
  assert.deepEqual(
    recipes.map(({ name }) => name),
    names,
  );
  for (const { name, env } of recipes) {
    const { config } = loadConfig(env);
    assert.equal(config.cdn.kind, name === "CloudFront" ? "cloudfront" : "purge");
    assert.notEqual(config.cdnUrl, "");
  }
});

const expectedRequests: Record<string, object> = {
  Varnish: { method: "PURGE", path: "/cdn/a.json", host: "consent.example.com", body: "" },
  nginx: { method: "GET", path: "/cdn/a.json", refresh: "TOKEN", body: "" },
  Fastly: { method: "PURGE", path: "/a.json", key: "TOKEN", body: "" },
  Cloudflare: {
    method: "POST",
    path: "/client/v4/zones/ZONE/purge_cache",
    authorization: "Bearer TOKEN",
    type: "application/json",
    body: '{"prefixes": ["consent.example.com/a.json"]}',
  },
};

for (const [name, expected] of Object.entries(expectedRequests)) {
  test(`sends what ${name} accepts, by the recipe for ${name}`, async (context) => {
    const recipe = (await readRecipes()).find((one) => one.name === name);
    const { config, secrets } = loadConfig(recipe?.env);
    assert.ok(config.cdn.kind === "purge");
    const cache = await openPurgeStandIn();
    context.after(() => cache[Symbol.asyncDispose]());
    const { origin } = new URL(config.cdnUrl);
    // The stand-in replaces the host in the recipe.
    const caches = config.cdn.caches.map((address) =>
      address.replace("{url}", `${origin}{path}`).replace(/^https?:\/\/[^/{]+/, cache.url),
    );
    const { cdnUrl } = config;
    const headers = secrets.purgeHeaders ?? {};
    const cdn = openPurgeCdn({ ...config.cdn, caches, cdnUrl, headers });
    const path = new URL(`${cdnUrl}/a.json`).pathname;
    await cdn.invalidatePaths({ paths: [path], reference: "job" });
    assert.equal(cache.received.length, 1);
    const [got] = cache.received;
    const found = {
      method: got?.method,
      path: got?.path,
      body: got?.body,
      host: got?.headers.host,
      refresh: got?.headers["x-refresh"],
      key: got?.headers["fastly-key"],
      authorization: got?.headers.authorization,
      type: got?.headers["content-type"],
    };
    assert.partialDeepStrictEqual(found, expected);
  });
}

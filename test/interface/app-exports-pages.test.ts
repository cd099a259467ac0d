import assert from "node:assert/strict";
import { test } from "node:test";
import { estimateRecords } from "../../packages/server/modules/consents/exports/estimate-store.ts";
import { type Page, readPages } from "../../packages/server/modules/consents/exports/pages.ts";
import { service } from "../harness.ts";
import { fillRecords, putRecords } from "./records.ts";
import { type Site, newSite } from "./site.ts";

const BYTES_MAX = 2 * 1024 * 1024;
const VALUE_BYTES = 100_000;

async function listPages(site: Site, filter: object = {}): Promise<Page[]> {
  const stretch = { projectId: site.id, after: undefined, ...filter };
  const pages: Page[] = [];
  for await (const page of readPages(service.data, stretch, ["id", "value"])) pages.push(page);
  return pages;
}

test("reads pages of few records when records are large, also if stored compressed", async () => {
  const site = await newSite();
  const ids = await putRecords(
    site,
    Array.from({ length: 100 }, () => ({ value: "x".repeat(VALUE_BYTES) })),
  );
  const pages = await listPages(site);
  for (const { count } of pages) assert.ok(count * VALUE_BYTES <= BYTES_MAX + VALUE_BYTES);
  assert.deepEqual(
    pages.flatMap((page) => page.valuesOf("id")),
    ids,
  );
});

test("reads pages of the same size when a filter matches few records", async () => {
  const site = await newSite();
  await fillRecords(site, 9_000, "x");
  await putRecords(site, [{ collection: "contracts" }], Date.now() - 5_000);
  const pages = await listPages(site, { collection: "contracts" });
  assert.deepEqual(
    pages.map(({ count }) => count),
    [...Array.from({ length: 9 }, () => 0), 1],
  );
});

test("estimates the number of records from a sample of the table, or not at all", async () => {
  const [site, other] = await Promise.all([newSite(), newSite()]);
  await fillRecords(site, 20_000, "x".repeat(200));
  const estimate = (filter: object, pages?: number) =>
    estimateRecords(service.data, { projectId: site.id, after: undefined, ...filter }, pages);
  const all = Number.MAX_SAFE_INTEGER;
  assert.equal(await estimate({}, all), 20_000);
  assert.equal(await estimate({ accept: true }, all), 13_334);
  assert.equal(await estimate({ token: "visitor-1" }, all), 1);
  assert.equal(await estimate({ projectId: other.id }), undefined);
  const sampled = (await estimate({})) ?? 0;
  assert.ok(sampled > 5_000 && sampled < 80_000, String(sampled));
});

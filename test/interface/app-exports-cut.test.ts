import assert from "node:assert/strict";
import { test } from "node:test";
import { Client } from "pg";
import { hrefOf, paths } from "@avow/contract/urls";
import { COLLECTING_NAME } from "../../packages/server/platform/db/open.ts";
import { firstIdAt } from "../../packages/server/kernel/ids.ts";
import { deleteExpiredExports } from "../../packages/server/modules/consents/exports/jobs.ts";
import { toTablesUrl } from "../database.ts";
import { service } from "../harness.ts";
import { openRawReader, readHead, until } from "./raw-reader.ts";
import { fillRecords, putRecords } from "./records.ts";
import { type Site, newSite, share } from "./site.ts";

/** Test records are older than this, so that an export up to this time waits for nothing. */
const settled = () => new Date(Date.now() - 5_000).toISOString();

const exportAt = (site: Site, format: string) =>
  hrefOf("", paths.export, { projectId: site.id, format }, { end: settled() });

const readManifest = async (site: Site, exportId: string) => {
  const at = hrefOf("", paths.exportManifest, { projectId: site.id, exportId });
  return (await service.fetch(at, { token: site.token })).body;
};

const idIn = (head: string): string => /^x-export-id: (\S+)/im.exec(head)?.[1] ?? "";

test("resumes an export at the position where the reader disconnected", async () => {
  const site = await newSite();
  await fillRecords(site, 80_000, "x".repeat(100));
  const reader = await openRawReader(exportAt(site, "csv"), site);
  const exportId = idIn(await readHead(reader));
  const running = await readManifest(site, exportId);
  assert.equal(running.state, "running");
  assert.equal(running.complete, false);
  assert.equal(running.sha256, null);
  // Reads slowly: otherwise everything arrives before the reader can disconnect.
  reader.on("data", () => {
    reader.pause();
    setTimeout(() => reader.resume(), 10);
  });
  reader.resume();
  await until(async () => (await readManifest(site, exportId)).stretches.length > 0);
  reader.destroy();
  await until(async () => (await readManifest(site, exportId)).state === "cut");
  const manifest = await readManifest(site, exportId);
  assert.equal(manifest.complete, false);
  const { last } = manifest.stretches.at(-1);
  const resume = new URL(manifest.links.resume);
  assert.equal(resume.searchParams.get("after"), last);
  assert.equal(resume.searchParams.get("end"), manifest.to);
  const rest = await service.fetch(resume.pathname + resume.search, { token: site.token });
  assert.equal(rest.status, 200);
  const left = 80_000 - manifest.stretches.at(-1).count;
  assert.equal(rest.body.trimEnd().split("\r\n").length, left);
});

test("closes the connection when a stream fails, so that a truncated file is detected", async () => {
  const site = await newSite();
  await fillRecords(site, 8_000, "x".repeat(1_000));
  // No visitor can send this token: it would shift the columns of a row that is read as text.
  await putRecords(site, [{ token: "a\u001eb" }], Date.now() - 6_000);
  for (const format of ["csv", "ndjson", "parquet"]) {
    const answer = await fetch(service.url + exportAt(site, format), {
      headers: { authorization: `Bearer ${site.token}` },
    });
    assert.equal(answer.status, 200);
    await assert.rejects(answer.arrayBuffer(), /terminated/, format);
    const exportId = answer.headers.get("x-export-id") ?? "";
    await until(async () => (await readManifest(site, exportId)).state === "cut");
  }
});

test("limits exports to two of a user and four in total, and returns Retry-After beyond", async () => {
  const site = await newSite();
  await fillRecords(site, 15_000, "x".repeat(1_000));
  const [other, third] = await Promise.all([share(site, "auditor"), share(site, "viewer")]);
  const open = (token: string) => openRawReader(exportAt(site, "ndjson"), { token });
  const own = [await open(site.token), await open(site.token)];
  for (const reader of own) assert.match(await readHead(reader), /^HTTP\/1\.1 200/);
  const ask = (token: string) => service.fetch(exportAt(site, "csv"), { token });
  const tooMany = await ask(site.token);
  assert.equal(tooMany.status, 429);
  assert.equal(tooMany.headers.get("retry-after"), "5");
  const others = [await open(other), await open(other)];
  for (const reader of others) assert.match(await readHead(reader), /^HTTP\/1\.1 200/);
  const busy = await ask(third);
  assert.equal(busy.status, 503);
  assert.equal(busy.headers.get("retry-after"), "5");
  // A reader that disconnects frees its slot.
  own[0]?.destroy();
  await until(async () => (await ask(site.token)).status === 200);
  for (const reader of [...own, ...others]) reader.destroy();
});

test("ends an export at its start time, whatever is collected during it", async () => {
  const site = await newSite();
  await fillRecords(site, 12_000, "x".repeat(1_000));
  const at = hrefOf("", paths.export, { projectId: site.id, format: "csv" });
  const reader = await openRawReader(at, site);
  const exportId = idIn(await readHead(reader));
  await putRecords(site, [{}], Date.now() + 1);
  reader.resume();
  await until(async () => (await readManifest(site, exportId)).complete === true);
  const manifest = await readManifest(site, exportId);
  assert.equal(manifest.count, 12_000);
  reader.destroy();
});

test("cancels an export immediately that waits for collection when its reader disconnects", async () => {
  const site = await newSite();
  const client = new Client({
    connectionString: toTablesUrl(service.dataUrl),
    application_name: COLLECTING_NAME,
  });
  await client.connect();
  try {
    await client.query("BEGIN");
    const at = hrefOf("", paths.export, { projectId: site.id, format: "csv" });
    const reader = await openRawReader(at, site);
    const exportId = idIn(await readHead(reader));
    assert.equal((await readManifest(site, exportId)).state, "running");
    const from = performance.now();
    reader.destroy();
    await until(async () => (await readManifest(site, exportId)).state === "cut");
    assert.ok(performance.now() - from < 5_000);
  } finally {
    await client.end();
  }
});

test("states in the manifest when pending collection limits the export", async () => {
  const site = await newSite();
  await service.fetch(exportAt(site, "ndjson"), { token: site.token });
  const row = await service.data
    .selectFrom("exports")
    .select(["id", "filters"])
    .where("project_id", "=", site.id)
    .where("format", "=", "ndjson")
    .executeTakeFirstOrThrow();
  assert.equal((await readManifest(site, row.id)).heldBack, undefined);
  const { end } = row.filters as { end: string };
  const to_id = firstIdAt(new Date(Date.parse(end) - 1));
  await service.data.updateTable("exports").set({ to_id }).where("id", "=", row.id).execute();
  const manifest = await readManifest(site, row.id);
  assert.equal(manifest.heldBack, true);
  assert.ok(manifest.to < end);
});

test("deletes exports after 30 days", async () => {
  const site = await newSite();
  const answer = await service.fetch(exportAt(site, "csv"), { token: site.token });
  const exportId = answer.headers.get("x-export-id") ?? "";
  for (const days of [29, 31]) {
    const created_at = new Date(Date.now() - days * 86_400_000);
    await service.data
      .updateTable("exports")
      .set({ created_at })
      .where("project_id", "=", site.id)
      .execute();
    await deleteExpiredExports(service.data, new Date());
    const manifest = await readManifest(site, exportId);
    assert.equal(manifest.id, days < 30 ? exportId : undefined);
  }
});

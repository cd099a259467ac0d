import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { skip, stop } from "../lifecycle/checks.ts";
import { killIfThere, readServerPid, waitFor } from "../lifecycle/process.ts";
import { ask } from "./http.ts";
import { type Load, startLoad } from "./load.ts";
import { type Site, openSite } from "./site.ts";
import { findObstacle, startOnSmallDisk } from "./small-disk.ts";
import { assertStored } from "./stored.ts";

const MIB = 1024 * 1024;
const TOTAL = 4_000;
const FULL_MS = 1_000;

suite(
  "a disk that fills while consents are collected",
  { skip: skip || (await findObstacle()) },
  () => {
    test("answers 503 before the database runs out of space, and resumes collection after", async (t) => {
      const disk = { diskBytes: 400 * MIB, reserveBytes: 160 * MIB };
      const { service, fill, clear } = await startOnSmallDisk(t, disk);
      const site = await openSite(await service.address());
      const load = startLoad(t, site, TOTAL);
      await load.reached(TOTAL * 0.2);
      await fill(120 * MIB);
      await waitForRefusals(load);
      assertRefused(load, /^The disk is nearly full/);
      const { size } = load.acknowledged;
      await delay(FULL_MS);
      assert.equal(load.acknowledged.size, size, "no consent is accepted while the disk is full");
      await assertReadable(site);
      await clear();
      await load.done;
      await assertStored(site, load);
      const log = service.output();
      assert.equal(log.match(/disk nearly full/g)?.length, 1);
      assert.equal(log.match(/disk space available again/g)?.length, 1);
      assert.doesNotMatch(log, /the embedded database ended/);
      await stop(service);
    });

    test("loses nothing acknowledged on a full disk, even when the database is killed as well", async (t) => {
      const disk = { diskBytes: 200 * MIB, reserveBytes: 0 };
      const { service, dataDir, fill, clear } = await startOnSmallDisk(t, disk);
      const site = await openSite(await service.address());
      const load = startLoad(t, site, TOTAL);
      await load.reached(TOTAL * 0.2);
      await fill(0);
      await waitForRefusals(load);
      assertRefused(load, /database|disk/);
      await killDatabase(dataDir);
      await delay(FULL_MS);
      await clear();
      await load.done;
      await assertStored(site, load);
      assert.match(service.output(), /embedded database restarted/);
      await stop(service);
    });
  },
);

/**
 * Kills the database, unless the full disk has stopped it already: then its pid file or its process is gone.
 */
async function killDatabase(dataDir: string): Promise<void> {
  const pid = await readServerPid(dataDir).catch((error: unknown) => {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  });
  if (pid !== undefined) killIfThere(pid);
}

/** Waits until every connection was refused, so that no earlier request is in progress. */
async function waitForRefusals({ refused }: Load): Promise<void> {
  const { count } = refused;
  await waitFor("requests to be refused", () => refused.count > count + 100 || undefined);
}

function assertRefused({ refused }: Load, detail: RegExp): void {
  const { headers, text } = refused.last ?? assert.fail("nothing was refused");
  assert.match(String(headers["retry-after"]), /^[1-9]\d*$/);
  assert.match(String(headers["content-type"]), /^application\/problem\+json/);
  const problem = JSON.parse(text) as { type: string; status: number; detail: string };
  assert.equal(problem.status, 503);
  assert.equal(problem.type, "/problems/busy");
  assert.match(problem.detail, detail);
}

/** Reads and sign-out keep working; writes fail. */
async function assertReadable({ address, id, token }: Site): Promise<void> {
  const headers = { authorization: `Bearer ${token}` };
  const read = async (path: string) => (await ask(address + path, { headers })).status;
  assert.equal(await read("/health/ready"), 200);
  assert.equal(await read(`/v1/app/consents/${id}?cursor=`), 200);
  assert.equal(await read(`/v1/client/${id}/consents/visitor-1`), 200);
  const json = {
    websiteURL: "https://shop.example",
    title: "Another",
    DPO: { organization: "Shop Ltd" },
  };
  assert.equal((await ask(`${address}/v1/vault/projects`, { json, headers })).status, 503);
}

import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { type Pictures, openPictures } from "../../packages/server/modules/assets/child/pool.ts";
import { type Renders, openRenders } from "../../packages/server/modules/assets/renders/renders.ts";
import { type Spool, openSpool } from "../../packages/server/modules/assets/storage/spool.ts";
import type { Objects } from "../../packages/server/platform/objects/objects.ts";
import { service } from "../harness.ts";

/** Renders of the assets in `objects`, on the shared database; a process starts with the first render. */
export async function openTestRenders(
  objects: Objects,
  {
    readSpareBytes = async () => 1,
    pictures = openPictures(),
    ...options
  }: { kept?: number; readSpareBytes?: () => Promise<number>; pictures?: Pictures } = {},
): Promise<{ renders: Renders; spool: Spool } & Disposable> {
  const { db, clock, config } = service;
  const log = { warn: (entry: unknown) => assert.fail(String(entry)) };
  const folder = join(config.dataDir, "test-uploads");
  mkdirSync(folder, { recursive: true });
  const spool = await openSpool({ folder, readSpareBytes });
  const renders = openRenders({ db, objects, pictures, spool, now: clock.now, log, ...options });
  return { renders, spool, [Symbol.dispose]: () => pictures[Symbol.dispose]() };
}

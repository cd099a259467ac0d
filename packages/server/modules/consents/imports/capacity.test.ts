import assert from "node:assert/strict";
import { test } from "node:test";
import { Fault } from "../../../platform/errors.ts";
import { waitForSpace } from "./capacity.ts";

const { signal } = new AbortController();
const limits = { waitMs: 60_000, pollMs: 1 };

/** Fake disks that return these spare bytes one after another, and then repeat the last one. */
function toDisks({ folder, database = [0] }: { folder: number[]; database?: number[] }) {
  const next = (list: number[]) => (list.length > 1 ? list.shift() : list[0]) ?? 0;
  return {
    files: { readSpareBytes: async () => next(folder) },
    diskSpace: { spareBytes: () => next(database) },
  };
}

async function assertEnded(waiting: Promise<boolean>, message: RegExp): Promise<void> {
  await assert.rejects(waiting, (error) => {
    assert.ok(error instanceof Fault, String(error));
    // A `busy` error would be retried.
    assert.equal(error.kind, "impossible");
    assert.match(error.message, message);
    assert.match(error.message, /Import the file again when there is space/);
    return true;
  });
}

test("continues at once when there is spare space", async () => {
  assert.equal(await waitForSpace(toDisks({ folder: [0] }), { size: 10 }, signal, limits), true);
});

test("waits for space on the disk of the file and on that of the database", async () => {
  const folder = [-100, -50, 0, -100, 1];
  const database = [-1, 0];
  const app = toDisks({ folder, database });
  assert.equal(await waitForSpace(app, { size: 10 }, signal, limits), true);
  assert.deepEqual([folder, database], [[1], [0]]);
});

test("fails an import whose own file fills the disk", async () => {
  const app = toDisks({ folder: [-100] });
  await assertEnded(
    waitForSpace(app, { size: 100 }, signal, limits),
    /mostly with the file itself/,
  );
});

test("fails an import when no space is freed in time", async () => {
  for (const disks of [{ folder: [-100] }, { folder: [0], database: [-1] }])
    await assertEnded(
      waitForSpace(toDisks(disks), { size: 99 }, signal, { waitMs: 20, pollMs: 1 }),
      /no space was freed in time/,
    );
});

test("stops waiting at shutdown", async () => {
  const stopping = new AbortController();
  const app = toDisks({ folder: [-100] });
  const waiting = waitForSpace(app, { size: 1 }, stopping.signal, {
    waitMs: 60_000,
    pollMs: 60_000,
  });
  stopping.abort();
  assert.equal(await waiting, false);
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { toOneBucket } from "../../../platform/db/buckets/buckets.ts";
import type { DataDb, DataTx } from "../../../platform/db/db.ts";
import { Fault } from "../../../platform/errors.ts";
import { openStorage } from "./storage.ts";
import type { StoredBytes } from "./store.ts";

/** Unused by the fake below. */
const tx = {} as DataTx;
const buckets = toOneBucket({} as DataDb);

/** Storage of 1,000 bytes, with these stored bytes. */
function openWith(stored: StoredBytes) {
  return openStorage(1_000, { warn: () => undefined }, async () => stored);
}

function isFault(kind: string): (error: unknown) => boolean {
  return (error) => error instanceof Fault && error.kind === kind;
}

test("limits the files of one user to half of the storage, including uploads", async () => {
  const storage = openWith({ own: 100, all: 100 });
  using first = await storage.openReservation(buckets, "ada");
  first.take(200);
  using second = await storage.openReservation(buckets, "ada");
  second.take(200);
  assert.throws(() => second.take(1), isFault("too-many"));
  using other = await storage.openReservation(buckets, "bob");
  other.take(300);
});

test("limits all files to the storage", async () => {
  const storage = openWith({ own: 0, all: 600 });
  using first = await storage.openReservation(buckets, "ada");
  first.take(300);
  using second = await storage.openReservation(buckets, "bob");
  second.take(100);
  assert.throws(() => second.take(1), isFault("busy"));
});

test("frees a reservation on disposal", async () => {
  const storage = openWith({ own: 0, all: 0 });
  {
    using first = await storage.openReservation(buckets, "ada");
    first.take(500);
  }
  using second = await storage.openReservation(buckets, "ada");
  second.take(500);
});

test("counts uploads that finished in the meantime", async () => {
  const stored = { own: 0, all: 0 };
  const storage = openWith(stored);
  const file = { createdBy: "ada", bytes: 400 };
  await storage.assertCapacity(tx, file);
  stored.own = 101;
  await assert.rejects(storage.assertCapacity(tx, file), isFault("too-many"));
  Object.assign(stored, { own: 0, all: 601 });
  await assert.rejects(storage.assertCapacity(tx, file), isFault("busy"));
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { openRecordCdn } from "./record.ts";

const now = () => new Date("2026-01-02T03:04:05Z");

test("records and logs an invalidation once", async () => {
  const lines: [object, string][] = [];
  const log = { info: (...line: [object, string]) => void lines.push(line) };
  const cdn = openRecordCdn({ log, now });
  const { id } = await cdn.invalidatePaths({ paths: ["/a.json"], reference: "job 1" });
  await cdn.invalidatePaths({ paths: ["/a.json"], reference: "job 1" });
  assert.deepEqual(cdn.recorded(), [{ id, reference: "job 1", paths: ["/a.json"], at: now() }]);
  const fields = { invalidation: id, reference: "job 1", paths: ["/a.json"] };
  assert.deepEqual(lines, [[fields, "invalidation recorded"]]);
});

test("keeps only the last invalidations", async () => {
  const cdn = openRecordCdn({ log: { info: () => {} }, now, recordedMax: 3 });
  for (const reference of ["1", "2", "3", "4", "5"]) {
    await cdn.invalidatePaths({ paths: ["/a.json"], reference });
  }
  assert.deepEqual(
    cdn.recorded().map((invalidation) => invalidation.reference),
    ["3", "4", "5"],
  );
});

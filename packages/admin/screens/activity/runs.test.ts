import assert from "node:assert/strict";
import { test } from "node:test";
import type { Activity } from "@avow/client/operations";
import { groupActivity, listActs } from "./runs.ts";

/** An act of a person at a time of a day in the zone of the test. */
function act(id: string, actor: string, at: string, more: Partial<Activity> = {}): Activity {
  const event = "configuration.updated";
  const document = { id: "banner" };
  const instant = new Date(at).toISOString();
  return { id, at: instant, event, actor: { id: actor }, document, details: {}, ...more };
}

test("joins acts of one person within an hour into a run, and starts a new one after another person", () => {
  const days = groupActivity([
    act("6", "ana", "2026-03-02T12:00:00"),
    act("5", "ana", "2026-03-02T10:30:00"),
    act("4", "ana", "2026-03-02T09:40:00"),
    act("3", "bob", "2026-03-02T09:30:00"),
    act("2", "ana", "2026-03-02T00:10:00"),
    act("1", "ana", "2026-03-01T23:50:00"),
  ]);
  const ids = days.map(({ runs }) => runs.map(({ entries }) => entries.map(({ id }) => id)));
  assert.deepEqual(ids, [[["6"], ["4", "5"], ["3"], ["2"]], [["1"]]]);
});

test("counts repeated edits of one document, and sums erased records", () => {
  const details = { reason: "request", count: 3 };
  const erased = { event: "consent.erased", details };
  const acts = listActs([
    act("1", "ana", "2026-03-02T09:00:00"),
    act("2", "ana", "2026-03-02T09:01:00", { document: { id: "form" } }),
    act("3", "ana", "2026-03-02T09:02:00"),
    act("4", "ana", "2026-03-02T09:03:00", { ...erased, document: { id: "e1" } }),
    act("5", "ana", "2026-03-02T09:04:00", { ...erased, document: { id: "e2" } }),
  ]);
  assert.deepEqual(
    acts.map(({ entry, count, total }) => [entry.id, count, total]),
    [
      ["1", 2, 0],
      ["2", 1, 0],
      ["4", 2, 6],
    ],
  );
});

test("joins withdrawn decisions of one kind only", () => {
  const withdrawn = (id: string, decision: string) =>
    act(id, "ana", "2026-03-02T09:00:00", { event: "approval.withdrawn", details: { decision } });
  const acts = listActs([
    withdrawn("1", "approved"),
    withdrawn("2", "changes-requested"),
    withdrawn("3", "approved"),
  ]);
  assert.deepEqual(
    acts.map(({ entry, count }) => [entry.id, count]),
    [
      ["1", 2],
      ["2", 1],
    ],
  );
});

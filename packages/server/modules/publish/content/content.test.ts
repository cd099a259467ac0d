import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { Fault } from "../../../platform/errors.ts";
import { toPlans } from "../../billing/plans.ts";
import { toCanonical, toContent, toFiles, toRestoredContent, toSources } from "./content.ts";
import { assertWithinLimits } from "./limits.ts";
import { beginStep, endStep, nextStep, stepNames, toPendingSteps } from "../publications/steps.ts";

const imprint = { publishedAt: "2026-01-02T03:04:05.678Z", version: 7, jobId: "b".repeat(24) };
const project = {
  id: "a".repeat(24),
  resource: "projects",
  body: { title: "Shop", websiteURL: "https://shop.example" },
};
const cookies = (body: Record<string, unknown>) => ({
  id: "c".repeat(24),
  resource: "cookies",
  body,
});
const plans = toPlans({
  freeTier: { fileBytesMax: 1_000 },
  billing: { plans: {}, graceDays: 14, stripe: undefined },
});

test("writes members as canonical JSON, and the hash of the immutable file", () => {
  const text = toCanonical(toContent(project, [], imprint));
  const { hash, immutable, served } = toFiles(text);
  assert.equal(createHash("sha256").update(immutable).digest("hex"), hash);
  assert.deepEqual(JSON.parse(served.toString("utf8")), { ...JSON.parse(text), hash });
  assert.deepEqual(Object.keys(JSON.parse(text)), Object.keys(JSON.parse(text)).toSorted());
});

test("writes the same bytes for any order of fields", () => {
  const one = toContent(project, [cookies({ a: 1, b: { c: 2, d: 3 } })], imprint);
  const two = toContent(project, [cookies({ b: { d: 3, c: 2 }, a: 1 })], imprint);
  assert.equal(toCanonical(one), toCanonical(two));
});

test("restores a content with only its imprint changed", () => {
  const text = toCanonical(toContent(project, [cookies({ name: "x" })], imprint));
  const next = { ...imprint, version: 8, jobId: "d".repeat(24) };
  assert.deepEqual(toRestoredContent(text, next, {}, []), { ...JSON.parse(text), ...next });
});

test("returns a content's configurations as documents", () => {
  const content = toContent(project, [cookies({ name: "x" })], imprint);
  const [source] = toSources(content);
  assert.equal(source?.id, "c".repeat(24));
  assert.equal(source?.resource, "cookies");
  assert.equal(source?.body["name"], "x");
});

test("accepts a file at the size limit and rejects one byte more", () => {
  const base = toFiles(toCanonical(toContent(project, [cookies({ note: "" })], imprint))).served
    .length;
  const withNote = (length: number): string =>
    toCanonical(toContent(project, [cookies({ note: "x".repeat(length) })], imprint));
  assert.match(assertWithinLimits(withNote(1_000 - base), plans.free), /^1,000 bytes/);
  assert.throws(
    () => assertWithinLimits(withNote(1_001 - base), plans.free),
    (error) => error instanceof Fault && error.message.startsWith("The file has 1,001 bytes"),
  );
});

test("accepts a plan's number of configurations and rejects one more", () => {
  const textOf = (count: number): string => {
    const sources = Array.from({ length: count }, (_, n) => ({
      ...cookies({}),
      id: `${n}`.padStart(24, "0"),
    }));
    return toCanonical(toContent(project, sources, imprint));
  };
  const plan = { ...plans.free, fileBytesMax: null, configurationsMax: 2 };
  assert.match(assertWithinLimits(textOf(2), plan), /no limit/);
  assert.throws(() => assertWithinLimits(textOf(3), plan), /has 3 configurations/);
});

test("measures sizes in bytes, not characters", () => {
  const text = toCanonical(toContent(project, [cookies({ note: "é".repeat(400) })], imprint));
  assert.throws(() => assertWithinLimits(text, plans.free), /The file has 1,/);
});

test("reports all exceeded limits of a plan together", () => {
  const steps = [
    { name: "one", layout: "iab" },
    { name: "two", layout: "category" },
  ];
  const text = toCanonical(
    toContent(project, [cookies({ steps, note: "x".repeat(2_000) })], imprint),
  );
  const plan = { ...plans.free, configurationsMax: 0 };
  assert.throws(
    () => assertWithinLimits(text, plan),
    (error) => {
      assert.ok(error instanceof Fault);
      assert.match(error.message, /allows 1,000 bytes/);
      assert.match(error.message, /iab \(step one of/);
      assert.doesNotMatch(error.message, /step two/);
      assert.match(error.message, /has 1 configurations, and the plan Free allows 0/);
      return true;
    },
  );
});

test("orders the six steps, and keeps the first start of a restarted step", () => {
  const names = [];
  for (
    let name = stepNames[0] as (typeof stepNames)[number] | undefined;
    name;
    name = nextStep(name)
  )
    names.push(name);
  assert.deepEqual(names, [...stepNames]);
  const one = new Date(1_000);
  const two = new Date(2_000);
  const started = beginStep(beginStep(toPendingSteps(), "bundle", one), "bundle", two);
  const [ended] = endStep(started, "bundle", { status: "Done", message: "ok", now: two });
  assert.deepEqual(ended, {
    name: "bundle",
    status: "Done",
    startedAt: one.toISOString(),
    endedAt: two.toISOString(),
    message: "ok",
  });
});

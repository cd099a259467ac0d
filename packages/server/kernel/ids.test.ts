import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { parse, version } from "uuid";
import {
  documentIdPattern,
  firstIdAt,
  newDocumentId,
  openConsentIds,
  timeOfId,
  uuidPattern,
} from "./ids.ts";

const instants = fc.date({
  min: new Date("1970-01-01T00:00:00Z"),
  max: new Date("2105-12-31T00:00:00Z"),
  noInvalidDate: true,
});

test("a document id is 24 lower-case hexadecimal characters that start with the seconds", () => {
  fc.assert(
    fc.property(instants, (now) => {
      const id = newDocumentId(now);
      assert.match(id, documentIdPattern);
      assert.equal(Number.parseInt(id.slice(0, 8), 16), Math.floor(now.getTime() / 1000));
    }),
  );
});

test("document ids of different seconds sort by time, and two of one instant differ", () => {
  const early = newDocumentId(new Date("2001-09-09T01:46:39Z"));
  const late = newDocumentId(new Date("2001-09-09T01:46:40Z"));
  assert.ok(early < late);
  const now = new Date();
  assert.equal(new Set(Array.from({ length: 1000 }, () => newDocumentId(now))).size, 1000);
});

test("a consent id is a UUID of version 7 that contains its time in milliseconds", () => {
  const newConsentId = openConsentIds();
  const now = new Date("2026-03-04T05:06:07.089Z");
  const id = newConsentId(now);
  assert.match(id, uuidPattern);
  assert.equal(version(id), 7);
  assert.equal(Buffer.from(parse(id)).readUIntBE(0, 6), now.getTime());
});

test("consent ids of one source increase within a millisecond and despite a small clock step back", () => {
  const steps = fc.array(fc.integer({ min: 0, max: 2_000 }), { minLength: 2, maxLength: 50 });
  fc.assert(
    fc.property(steps, (clock) => {
      const newConsentId = openConsentIds();
      const ids = clock
        .map((ms) => new Date(1_700_000_000_000 + ms))
        .flatMap((now) => [newConsentId(now), newConsentId(now)]);
      assert.deepEqual(ids, ids.toSorted());
      assert.equal(new Set(ids).size, ids.length);
    }),
  );
});

test("consent ids follow a clock that is set back by more", () => {
  const newConsentId = openConsentIds();
  const [wrong, right] = [new Date("2031-01-01T00:00:00Z"), new Date("2026-01-01T00:00:00Z")];
  assert.equal(timeOfId(newConsentId(wrong)).getTime(), wrong.getTime());
  assert.equal(timeOfId(newConsentId(right)).getTime(), right.getTime());
});

test("the first id of an instant comes after all earlier ones and before its own", () => {
  const newConsentId = openConsentIds();
  const now = new Date("2026-03-04T05:06:07.089Z");
  assert.ok(newConsentId(new Date(now.getTime() - 1)) < firstIdAt(now));
  assert.ok(firstIdAt(now) <= newConsentId(now));
  assert.equal(timeOfId(firstIdAt(now)).getTime(), now.getTime());
});

test("a hundred thousand consent ids of one millisecond are UUIDs of version 7 and increase", () => {
  const newConsentId = openConsentIds();
  const now = new Date();
  let last = "";
  for (let index = 0; index < 100_000; index += 1) {
    const id = newConsentId(now);
    if (id <= last || version(id) !== 7) assert.fail(`${id} after ${last}`);
    last = id;
  }
});

test("two sources generate different consent ids", () => {
  const now = new Date();
  assert.notEqual(openConsentIds()(now), openConsentIds()(now));
});

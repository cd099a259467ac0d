import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import type { RecordedRow } from "../../../consents/commitments/recorded.ts";
import { toOneBucket } from "../../../../platform/db/buckets/buckets.ts";
import type { DataDb } from "../../../../platform/db/db.ts";
import { openCommit } from "./commitments.ts";
import type { Facts } from "./facts.ts";
import { type RecordFacts, toConsentText } from "@avow/contract/record";
import { toEntry } from "../tree/entry.ts";

// Records without an answer combination and a version need no database.
const db = undefined as unknown as DataDb;
const buckets = toOneBucket(db);
const knownOf = ({ preferences, value }: RecordedRow): RecordFacts => ({
  answers: "{}",
  preferences: preferences ?? "null",
  value: value ?? "null",
  googleConsentMode: "null",
  tcString: "null",
  publication: null,
});
const facts: Facts = { knownOf, factsOf: (_db, row) => knownOf(row) };

const at = "2026-04-05T06:07:08.009Z";
const id = "019d5c6a-1111-7abc-8def-0123456789ab";
const plain: RecordedRow = {
  project_id: "p",
  id,
  token: "t",
  collection: "cookies",
  identifier: "i",
  accept: true,
  choice: null,
  answers: {},
  preferences: null,
  value: null,
  language: null,
  url: null,
  client_at: null,
  country: null,
  user_agent: "import",
  version: null,
  import_id: "m",
  grade: null,
  gpc: null,
  displayed_at: null,
  created_at: new Date(at),
};

test("computes the entries that the sequencer would, for similar and different records", async () => {
  const text = fc.string({ unit: "grapheme", maxLength: 300 });
  const some = fc.array(fc.record({ token: text, value: fc.option(text), isLike: fc.boolean() }));
  const commit = openCommit(buckets, facts);
  const like = {};
  await fc.assert(
    fc.asyncProperty(some, async (given) => {
      const records = given.map(({ token, value, isLike }) => {
        const own = isLike ? null : value && JSON.stringify(value);
        const row = { ...plain, token, value: own };
        return { id, token, at, like: isLike ? like : undefined, row };
      });
      const { entries, salts } = await commit(records, ({ row }) => row);
      for (const [index, { row }] of records.entries()) {
        const salt = salts.subarray(index * 32, (index + 1) * 32);
        const expected = toEntry(toConsentText(row, await facts.factsOf(db, row)), salt);
        const entry = entries.subarray(index * 32, (index + 1) * 32);
        assert.equal(entry.toString("hex"), expected.toString("hex"));
      }
      assert.equal(entries.length, records.length * 32);
      const each = records.map((_, index) => salts.toString("hex", index * 32, (index + 1) * 32));
      assert.equal(new Set(each).size, records.length, "every salt is unique");
    }),
  );
});

test("computes the entry of a record that is longer than the buffer", async () => {
  const row = { ...plain, value: JSON.stringify("é".repeat(90_000)) };
  const { entries, salts } = await openCommit(buckets, facts)(
    [{ id, token: "t", at, like: undefined }],
    () => row,
  );
  const expected = toEntry(toConsentText(row, await facts.factsOf(db, row)), salts);
  assert.equal(entries.toString("hex"), expected.toString("hex"));
});

import assert from "node:assert/strict";
import { hash } from "node:crypto";
import { test } from "node:test";
import canonicalize from "canonicalize";
import * as fc from "fast-check";
import type { RecordedRow } from "../../../consents/commitments/recorded.ts";
import { toConsentText } from "@avow/contract/record";
import { toCanonical, toEntry } from "./entry.ts";

const some = fc.option(fc.string({ unit: "grapheme" }), { nil: null });
const json = fc.option(fc.jsonValue(), { nil: null });

test("serializes any record in its canonical form", () => {
  fc.assert(
    fc.property(
      fc.record({
        token: fc.string({ unit: "grapheme" }),
        language: some,
        url: some,
        country: some,
      }),
      fc.record({ preferences: json, value: json, answers: json }),
      fc.option(fc.nat(), { nil: null }),
      fc.option(fc.boolean(), { nil: null }),
      (texts, values, version, gpc) => {
        const row: RecordedRow = {
          ...texts,
          project_id: "p",
          id: "0192d0a0-0000-7000-8000-000000000000",
          collection: "cookies",
          identifier: 'i"\u2028',
          accept: version === null,
          choice: null,
          answers: null,
          preferences: null,
          value: null,
          client_at: version === null ? null : new Date(version),
          user_agent: "Firefox",
          version,
          import_id: texts.url,
          created_at: new Date(1_700_000_000_000),
          grade: gpc === true ? "ticketed" : null,
          gpc,
          displayed_at: gpc === true ? new Date(1_600_000_000_000) : null,
        };
        const text = toConsentText(row, {
          answers: toCanonical(values.answers),
          preferences: toCanonical(values.preferences),
          value: toCanonical(values.value),
          googleConsentMode: toCanonical(values.value),
          tcString: toCanonical(texts.url),
          publication: texts.language,
        });
        assert.equal(text, canonicalize(JSON.parse(text)));
      },
    ),
  );
});

test("hashes the salt and the text, padded with spaces to a multiple of 256 bytes", () => {
  const salt = Buffer.alloc(32, 7);
  for (const length of [0, 1, 255, 256, 257, 512]) {
    const text = "é".repeat(Math.floor(length / 2)) + "x".repeat(length % 2);
    const padding = Math.max(256, Math.ceil(length / 256) * 256) - length;
    const expected = hash("sha256", Buffer.concat([salt, Buffer.from(text + " ".repeat(padding))]));
    assert.equal(toEntry(text, salt).toString("hex"), expected);
  }
});

const row: RecordedRow = {
  project_id: "665f0000aaaabbbbccccdddd",
  id: "0192d0a0-0000-7000-8000-000000000001",
  token: "visitor ü",
  collection: "cookies",
  identifier: "665f0000aaaabbbbccccddde",
  accept: true,
  choice: 1,
  answers: null,
  preferences: null,
  value: null,
  language: "fr",
  url: "https://shop.example/",
  client_at: new Date("2026-11-20T10:11:12.000Z"),
  country: null,
  user_agent: "Firefox",
  version: 3,
  import_id: null,
  created_at: new Date("2026-11-20T10:11:12.345Z"),
  grade: null,
  gpc: null,
  displayed_at: null,
};
const facts = {
  answers: toCanonical({ "": { answer: "accepted" }, matomo: { answer: "refused" } }),
  preferences: toCanonical({
    vendors: { matomo: false },
    googleConsentMode: { ad_storage: "denied" },
    tcString: "CPXX",
  }),
  googleConsentMode: toCanonical({ ad_storage: "denied" }),
  tcString: toCanonical("CPXX"),
  value: "null",
  publication: "ab".repeat(32),
};

test("serializes a record without assurance level and signals as earlier versions did", () => {
  const digestOf = (changed: Partial<RecordedRow>) =>
    hash("sha256", toConsentText({ ...row, ...changed }, facts));
  assert.equal(digestOf({}), "a3ffab8a3889d0c8e142c5cae34892cbbc581c17604c924625eb5667aaee72de");
  assert.equal(
    digestOf({ import_id: "665f0000aaaabbbbccccdddf" }),
    "43ee0b46566e07c47d6c04cdbe9f30cdd1121016a223b693188ba98a900fecd9",
  );
});

test("serializes the assurance level and signals of a record", () => {
  const displayed_at = new Date("2026-11-20T10:10:00.000Z");
  const ticketed = { ...row, grade: "ticketed", gpc: false, displayed_at };
  const parsed = JSON.parse(toConsentText(ticketed, facts)) as Record<string, unknown>;
  assert.equal(parsed["grade"], "ticketed");
  assert.equal(parsed["displayedAt"], "2026-11-20T10:10:00.000Z");
  const signals = { gpc: false, googleConsentMode: { ad_storage: "denied" }, tcString: "CPXX" };
  assert.deepEqual(parsed["signals"], signals);
});

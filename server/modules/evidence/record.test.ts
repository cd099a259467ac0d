import assert from "node:assert/strict";
import { hash } from "node:crypto";
import { test } from "node:test";
import canonicalize from "canonicalize";
import * as fc from "fast-check";
import type { RecordedRow } from "../consents/recorded.ts";
import { toCanonical, toConsentText, toEntry } from "./record.ts";

const some = fc.option(fc.string({ unit: "grapheme" }), { nil: null });
const json = fc.option(fc.jsonValue(), { nil: null });

test("the text of a record is its canonical form, whatever is in it", () => {
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
      (texts, values, version) => {
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
        };
        const text = toConsentText(row, {
          answers: toCanonical(values.answers),
          preferences: toCanonical(values.preferences),
          value: toCanonical(values.value),
          publication: texts.language,
        });
        assert.equal(text, canonicalize(JSON.parse(text)));
      },
    ),
  );
});

test("an entry is the SHA-256 of the salt and the text, with spaces up to the next 256 bytes", () => {
  const salt = Buffer.alloc(32, 7);
  for (const length of [0, 1, 255, 256, 257, 512]) {
    const text = "é".repeat(Math.floor(length / 2)) + "x".repeat(length % 2);
    const padding = Math.max(256, Math.ceil(length / 256) * 256) - length;
    const expected = hash("sha256", Buffer.concat([salt, Buffer.from(text + " ".repeat(padding))]));
    assert.equal(toEntry(text, salt).toString("hex"), expected);
  }
});

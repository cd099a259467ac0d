import assert from "node:assert/strict";
import { test } from "node:test";
import { createAjv, compileCheck } from "../../../kernel/schemas.ts";
import { openConsentJson } from "./consent-json.ts";
import { serializeConsent, toConsent } from "./consent-out.ts";
import { ConsentOut, type Preferences } from "@avow/contract/consents";
import type { ConsentRecord } from "./row.ts";

const full: ConsentRecord = {
  projectId: "665f0000aaaabbbbccccdddd",
  id: "01a1fa54-406b-75e9-b92a-83f15d13af7e",
  token: "a token/ü",
  collection: "cookies",
  identifier: "665f0000aaaabbbbccccdddd",
  accept: true,
  preferences: {
    vendors: { hotjar: false, ['"quoted"']: true },
    config: { identifier: "a", name: "b", language: "en" },
    googleConsentMode: { ad_storage: "denied" },
    tcString: "CP",
    imported: { from: "klaro", answeredAt: "2026-01-02T02:04:05.000Z" },
    addtlConsent: "2~1~dv.",
    gppString: "DBAA",
  },
  value: { any: ["thing", null] },
  language: "en",
  url: "https://shop.example/page",
  clientAt: new Date("2026-03-04T05:06:07.089Z"),
  country: "DE",
  userAgent: "Firefox",
  version: 3,
  importId: null,
  grade: "ticketed",
  gpc: true,
  displayedAt: new Date("2026-03-04T05:05:00.000Z"),
  warnings: [{ path: "/timestamp", message: "lies more than 30 days in the past" }],
  createdAt: new Date("2026-05-04T05:06:07.089Z"),
};
const least: ConsentRecord = {
  ...full,
  preferences: null,
  value: null,
  language: null,
  url: null,
  clientAt: null,
  country: null,
  version: null,
  grade: "browser",
  gpc: null,
  displayedAt: null,
  warnings: [],
};

for (const [what, record] of Object.entries({ full, least })) {
  test(`returns a consent that matches its schema, also as JSON (${what})`, () => {
    const consent = toConsent(record, "https://x.example");
    assert.deepEqual(compileCheck(createAjv(false), ConsentOut)(consent), []);
    assert.deepEqual(JSON.parse(serializeConsent(consent)), consent);
  });
}

const others: Record<string, Partial<ConsentRecord>> = {
  full: {},
  least,
  "ordinary token": { token: "0mwz8wf2d5aJc0P3FGaa2hEpqRaVABg" },
  "token with quotes": { token: '"\\&?#=%\u2028 \u{1F36A}' },
  "identifier with quotes": { identifier: 'a"b&c' },
  "signals alone": { preferences: { tcString: '"CP"' } },
  import: { importId: "665f0000aaaabbbbccccdddd", grade: "imported" },
};
for (const [what, fields] of Object.entries(others))
  test(`writes the JSON of a collected consent like its serializer (${what})`, () => {
    // Collection stores preferences in the order of the serializer.
    const { addtlConsent, gppString, imported, ...preferences } = full.preferences ?? {};
    const record: ConsentRecord = {
      ...full,
      preferences: { ...preferences, addtlConsent, gppString, imported } as Preferences,
      ...fields,
    };
    const url = "https://x.example/base";
    assert.equal(openConsentJson(url)(record), serializeConsent(toConsent(record, url)));
  });

test("omits fields from the JSON that the schema does not declare", () => {
  const consent = toConsent(full, "https://x.example");
  const secret = { secret: "hash" };
  const more: ConsentOut = {
    ...consent,
    ...secret,
    preferences: {
      ...consent.preferences,
      ...secret,
      config: { ...consent.preferences.config, ...secret },
    },
    receipt: { ...consent.receipt, ...secret },
    headers: { ...consent.headers, ...secret },
    signals: consent.signals && { ...consent.signals, ...secret },
    warnings: full.warnings.map((warning) => ({ ...warning, ...secret })),
  };
  assert.deepEqual(JSON.parse(serializeConsent(more)), consent);
});

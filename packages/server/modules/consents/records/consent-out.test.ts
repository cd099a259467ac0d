import assert from "node:assert/strict";
import { test } from "node:test";
import { createAjv, compileCheck } from "../../../kernel/schemas.ts";
import { serializeConsent, toConsent } from "./consent-out.ts";
import { ConsentOut } from "@avow/contract/consents";
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

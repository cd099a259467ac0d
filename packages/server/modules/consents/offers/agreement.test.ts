import assert from "node:assert/strict";
import { test } from "node:test";
import { type Agreement, listAdditions } from "./agreement.ts";

const newsletter = {
  purpose: "Send news",
  personalDataTypes: ["email", "name"],
  recipients: [{ name: "Mailer", host: "mailer.eu", country: "FR" }],
  automatedDecisions: false,
  storageDuration: 12,
};
const vendor = {
  name: "ads",
  domain: "ads.example",
  type: "ads",
  googleConsentMode: ["ad_storage"],
};

const cases: [
  what: string,
  before: Agreement | null,
  after: Agreement | null,
  additions: string[],
][] = [
  ["the same", newsletter, { ...newsletter }, []],
  ["another purpose", newsletter, { ...newsletter, purpose: "Sell" }, ["new-purpose"]],
  ["more data", newsletter, { ...newsletter, personalDataTypes: ["email", "iris"] }, ["more-data"]],
  ["less data", newsletter, { ...newsletter, personalDataTypes: ["email"] }, []],
  ["no data", newsletter, { ...newsletter, personalDataTypes: [] }, []],
  [
    "a recipient",
    newsletter,
    {
      ...newsletter,
      recipients: [...newsletter.recipients, { name: "Broker", host: "", country: "" }],
    },
    ["new-recipient"],
  ],
  [
    "another recipient",
    newsletter,
    { ...newsletter, recipients: [{ name: "Broker", host: "", country: "" }] },
    ["new-recipient"],
  ],
  [
    "a recipient in capitals",
    newsletter,
    { ...newsletter, recipients: [{ name: "MAILER ", host: "mailer.eu", country: "FR" }] },
    [],
  ],
  [
    "a recipient in another country",
    newsletter,
    { ...newsletter, recipients: [{ name: "Mailer", host: "mailer.eu", country: "CN" }] },
    ["fewer-safeguards"],
  ],
  [
    "a recipient of the same name",
    newsletter,
    { ...newsletter, recipients: [{ name: "Mailer", host: "mailer.cn", country: "FR" }] },
    ["new-recipient"],
  ],
  ["a corrected purpose", newsletter, { ...newsletter, purpose: " send  News." }, []],
  [
    "another policy",
    { title: "A", policyHost: "a.org" },
    { title: "A", policyHost: "b.org" },
    ["new-recipient"],
  ],
  ["another title of one domain", { ...vendor, title: "A" }, { ...vendor, title: "B" }, []],
  ["a title without other identification", { title: "A" }, { title: "B" }, ["new-recipient"]],
  ["a domain that was missing", { title: "A" }, { title: "A", domain: "a.org" }, []],
  ["no recipient", newsletter, { ...newsletter, recipients: [] }, []],
  ["longer", newsletter, { ...newsletter, storageDuration: 13 }, ["longer-storage"]],
  ["shorter", newsletter, { ...newsletter, storageDuration: 11 }, []],
  ["unlimited", newsletter, { ...newsletter, storageDuration: undefined }, ["longer-storage"]],
  ["no longer unlimited", { purpose: "x" }, { purpose: "x", storageDuration: 900 }, []],
  [
    "automated decisions",
    newsletter,
    { ...newsletter, automatedDecisions: true },
    ["fewer-safeguards"],
  ],
  ["no automated decisions", { ...newsletter, automatedDecisions: true }, newsletter, []],
  ["other terms", { file: "https://a/1.pdf" }, { file: "https://a/2.pdf" }, ["new-terms"]],
  ["another domain", vendor, { ...vendor, domain: "b.example" }, ["new-recipient"]],
  ["another kind", vendor, { ...vendor, type: "analytics" }, ["new-purpose"]],
  [
    "a signal",
    vendor,
    { ...vendor, googleConsentMode: ["ad_storage", "ad_user_data"] },
    ["new-purpose"],
  ],
  ["no signal", vendor, { ...vendor, googleConsentMode: undefined }, []],
  ["signals by name", vendor, { ...vendor, googleConsentMode: { ad_storage: true, x: false } }, []],
  [
    "a signal by name",
    vendor,
    { ...vendor, googleConsentMode: { ad_user_data: true } },
    ["new-purpose"],
  ],
  ["nothing at all", {}, {}, []],
  [
    "two at once",
    newsletter,
    { ...newsletter, purpose: "x", storageDuration: 99 },
    ["new-purpose", "longer-storage"],
  ],
];

for (const [what, before, after, additions] of cases)
  test(`${what}: ${additions.length > 0 ? additions.join(" and ") : "asks for nothing more"}`, () => {
    assert.deepEqual(listAdditions(before, after), additions);
  });

import assert from "node:assert/strict";
import { test } from "node:test";
import type { StoredDocument } from "@avow/contract/configuration";
import { toOffers } from "./offers.ts";

const vendor = { name: "matomo", title: "Matomo", domain: "matomo.org", type: "analytics" };

function cookies(vendors: unknown[], more: object = {}): StoredDocument {
  return { id: "c1", resource: "cookies", body: { title: "Shop", steps: [{ vendors }], ...more } };
}

function processing(more: object = {}): StoredDocument {
  const body = {
    title: "Newsletter",
    purpose: "Send news",
    personalDataTypes: ["email", "name"],
    processors: [{ name: "Mailer", role: "sends" }, { name: "Archive" }],
    automatedDecisions: false,
    storageDuration: 12,
    message: "<p>Agree?</p>",
    ...more,
  };
  return { id: "p1", resource: "processings", body };
}

function substanceOf(configuration: StoredDocument, item = ""): string | undefined {
  return toOffers([configuration]).find((offer) => offer.item === item)?.substance;
}

test("offers a cookie configuration as a whole and every vendor of every step once", () => {
  const body = {
    name: "en",
    steps: [{ vendors: [vendor] }, {}, { vendors: [{ name: "chat" }, vendor] }],
  };
  const offers = toOffers([{ id: "c1", resource: "cookies", body }]);
  const shown = offers.map(({ item, name, required }) => ({ item, name, required }));
  assert.deepEqual(shown, [
    { item: "", name: "en", required: false },
    { item: "matomo", name: "Matomo", required: false },
    { item: "chat", name: "chat", required: false },
  ]);
});

test("marks required vendors, and leaves out unresolved and unnamed ones", () => {
  const offers = toOffers([
    cookies([{ ...vendor, required: true }, "65a115f40b6631a5333331e2", {}, 7]),
  ]);
  assert.deepEqual(
    offers.map(({ item, required }) => [item, required]),
    [
      ["", false],
      ["matomo", true],
    ],
  );
});

test("keeps a vendor's digest when only its wording changes", () => {
  const before = substanceOf(cookies([vendor]), "matomo");
  const wording = {
    ...vendor,
    title: "Matomo 5",
    shortDescription: "Counts",
    policyUrl: "https://x.test",
  };
  assert.equal(substanceOf(cookies([wording]), "matomo"), before);
  for (const change of [
    { domain: "other.test" },
    { type: "ads" },
    { googleConsentMode: ["ad_storage"] },
  ])
    assert.notEqual(substanceOf(cookies([{ ...vendor, ...change }]), "matomo"), before);
});

test("computes the same digest for every cookie configuration as a whole", () => {
  assert.equal(substanceOf(cookies([vendor])), substanceOf(cookies([], { title: "Other" })));
});

test("derives a processing's digest from purpose, data, processors, decisions and duration", () => {
  const before = substanceOf(processing());
  const same = {
    message: "New words",
    title: "News",
    personalDataTypes: ["name", "email"],
    processors: [{ name: "Archive", website: "https://a.test" }, { name: "Mailer" }],
  };
  assert.equal(substanceOf(processing(same)), before);
  for (const change of [
    { purpose: "Sell" },
    { personalDataTypes: ["email"] },
    { processors: [{ name: "Mailer" }] },
    { automatedDecisions: true },
    { storageDuration: 13 },
  ])
    assert.notEqual(substanceOf(processing(change)), before, JSON.stringify(change));
});

test("derives a contract's digest from its file, and its name from the checkbox, or from the title where the service named it", () => {
  const contract = (body: object): StoredDocument => ({
    id: "k1",
    resource: "contracts",
    body: { ...body },
  });
  const file = "https://shop.test/terms-1.pdf";
  const before = substanceOf(contract({ file, title: "Terms" }));
  assert.equal(substanceOf(contract({ file, title: "Our terms", message: "!" })), before);
  assert.notEqual(substanceOf(contract({ file: "https://shop.test/terms-2.pdf" })), before);
  const nameOf = (name: string) => toOffers([contract({ file, title: "Terms", name })])[0]?.name;
  assert.equal(nameOf("accept_cgv"), "accept_cgv");
  assert.equal(nameOf("terms"), "Terms", "the service has derived the name from the title");
});

test("expires cookies after 180 days and others never, unless the settings set 1 to 3650 days", () => {
  const daysOf = (configuration: StoredDocument) => toOffers([configuration])[0]?.expiresAfterDays;
  assert.equal(daysOf(cookies([])), 180);
  assert.equal(daysOf(processing()), null);
  assert.equal(daysOf(cookies([], { settings: { expiresAfterDays: 30 } })), 30);
  assert.equal(daysOf(processing({ settings: { expiresAfterDays: 3650 } })), 3650);
  for (const days of [0, -1, 1.5, 3651, "30", null])
    assert.equal(daysOf(cookies([], { settings: { expiresAfterDays: days } })), 180, String(days));
});

test("offers nothing for documents other than configurations", () => {
  assert.deepEqual(toOffers([{ id: "d1", resource: "dpo", body: { title: "DPO" } }]), []);
});

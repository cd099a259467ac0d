import assert from "node:assert/strict";
import { test } from "node:test";
import { chooseVendors, cutTexts, findMissingTexts } from "./excerpt.ts";
import type { TcfVendor, TcfVendorList } from "@avow/contract/tcf";

const term = (id: number, more: object = {}) => ({
  id,
  name: `name ${id}`,
  description: `description ${id}`,
  ...more,
});
const vendor = (id: number, fields: Partial<TcfVendor> = {}): TcfVendor => ({
  id,
  name: `vendor ${id}`,
  purposes: [1],
  legIntPurposes: [],
  flexiblePurposes: [],
  specialPurposes: [],
  features: [],
  specialFeatures: [],
  ...fields,
});
const texts = {
  purposes: { 1: term(1), 2: term(2), 7: term(7), 9: term(9) },
  specialPurposes: { 1: term(1), 2: term(2) },
  features: { 3: term(3) },
  specialFeatures: { 1: term(1, { illustrations: [] }), 2: term(2, { added: "later" }) },
  dataCategories: { 1: term(1), 4: term(4, { illustrations: ["such as this"] }) },
};
const list = (vendors: TcfVendor[]): Pick<TcfVendorList, "vendors"> => ({
  vendors: Object.fromEntries(vendors.map((one) => [one.id, one])),
});

test("keeps only requested vendors, each once, and reports deleted and unknown ones", () => {
  const all = list([vendor(1), vendor(2), vendor(3, { deletedDate: "2026-01-01" })]);
  const { vendors, deleted, unknown } = chooseVendors(all, [2, 3, 2, 99], ["en"]);
  assert.deepEqual(Object.keys(vendors), ["2"]);
  assert.deepEqual({ deleted, unknown }, { deleted: [3], unknown: [99] });
});

test("keeps the fields that visitors and TC strings need, and links in the languages used", () => {
  const urls = ["en", "fr", "de", "it"].map((langId) => ({
    langId,
    privacy: `https://vendor.example/${langId}`,
  }));
  const original = { ...vendor(1, { urls, dataDeclaration: [4] }), overflow: { httpGetLimit: 32 } };
  const cut = chooseVendors(list([original]), [1], ["fr", "de"]).vendors[1];
  assert.deepEqual(
    cut?.urls?.map(({ langId }) => langId),
    ["fr", "de", "en"],
  );
  const { overflow: _, ...rest } = original;
  assert.deepEqual({ ...cut, urls }, rest);
});

test("keeps a vendor's first link if it has none in the languages used", () => {
  const urls = [{ langId: "el", privacy: "https://vendor.example/el" }];
  assert.deepEqual(chooseVendors(list([vendor(1, { urls })]), [1], ["fr"]).vendors[1]?.urls, urls);
});

test("keeps IAB's texts that vendors reference, on any legal basis", () => {
  const vendors = {
    1: vendor(1, { purposes: [1], flexiblePurposes: [7], specialPurposes: [2] }),
    2: vendor(2, {
      purposes: [],
      legIntPurposes: [2],
      specialFeatures: [1, 2],
      dataDeclaration: [4],
    }),
  };
  assert.deepEqual(cutTexts(texts, vendors), {
    purposes: { 1: term(1), 2: term(2), 7: term(7) },
    specialPurposes: { 2: term(2) },
    features: {},
    specialFeatures: { 1: term(1), 2: term(2) },
    dataCategories: { 4: texts.dataCategories[4] },
  });
});

test("chooses the largest stacks that fit, which share nothing", () => {
  const stack = (id: number, purposes: number[], specialFeatures: number[] = []) => ({
    id,
    name: `stack ${id}`,
    description: `description ${id}`,
    purposes,
    specialFeatures,
  });
  const stacks = {
    1: stack(1, [2, 7]),
    2: stack(2, [2, 7, 9]),
    3: stack(3, [2, 7, 9, 10]),
    4: stack(4, [], [1, 2]),
    5: stack(5, [1]),
    6: stack(6, [1, 9]),
  };
  const vendors = {
    1: vendor(1, { purposes: [1, 7], legIntPurposes: [2, 9], specialFeatures: [1, 2] }),
  };
  assert.deepEqual(cutTexts({ ...texts, stacks }, vendors).stacks, { 2: stacks[2], 4: stacks[4] });
  // A restricted purpose is in no stack.
  const restricted = { 1: vendor(1, { purposes: [1, 7], legIntPurposes: [2] }) };
  assert.deepEqual(cutTexts({ ...texts, stacks }, vendors, restricted).stacks, { 1: stacks[1] });
  const none = { 1: vendor(1) };
  assert.equal("stacks" in cutTexts({ ...texts, stacks }, none), false);
});

test("finds texts that vendors reference and the file lacks", () => {
  const vendors = { 1: vendor(1, { purposes: [1, 5], features: [3], dataDeclaration: [6] }) };
  assert.deepEqual(findMissingTexts(texts, vendors), ["purposes 5", "dataCategories 6"]);
  assert.deepEqual(findMissingTexts(texts, { 1: vendor(1) }), []);
});

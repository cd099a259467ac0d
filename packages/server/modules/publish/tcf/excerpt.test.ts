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

test("only the vendors that are asked for are kept, each once, and the others told", () => {
  const all = list([vendor(1), vendor(2), vendor(3, { deletedDate: "2026-01-01" })]);
  const { vendors, deleted, unknown } = chooseVendors(all, [2, 3, 2, 99], ["en"]);
  assert.deepEqual(Object.keys(vendors), ["2"]);
  assert.deepEqual({ deleted, unknown }, { deleted: [3], unknown: [99] });
});

test("a vendor keeps what visitors and TC strings need, and its links in the languages spoken", () => {
  const urls = ["en", "fr", "de", "it"].map((langId) => ({
    langId,
    privacy: `https://vendor.example/${langId}`,
  }));
  const given = { ...vendor(1, { urls, dataDeclaration: [4] }), overflow: { httpGetLimit: 32 } };
  const cut = chooseVendors(list([given]), [1], ["fr", "de"]).vendors[1];
  assert.deepEqual(
    cut?.urls?.map(({ langId }) => langId),
    ["fr", "de", "en"],
  );
  const { overflow: _, ...rest } = given;
  assert.deepEqual({ ...cut, urls }, rest);
});

test("a vendor without a link in any language spoken keeps the one it has", () => {
  const urls = [{ langId: "el", privacy: "https://vendor.example/el" }];
  assert.deepEqual(chooseVendors(list([vendor(1, { urls })]), [1], ["fr"]).vendors[1]?.urls, urls);
});

test("of IAB's words those that vendors refer to are kept, on whichever basis", () => {
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

test("what vendors refer to and the words do not say is found", () => {
  const vendors = { 1: vendor(1, { purposes: [1, 5], features: [3], dataDeclaration: [6] }) };
  assert.deepEqual(findMissingTexts(texts, vendors), ["purposes 5", "dataCategories 6"]);
  assert.deepEqual(findMissingTexts(texts, { 1: vendor(1) }), []);
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { GppModel } from "@iabgpp/cmpapi";
import { type UsFacts, chooseSection, encodeNothing, encodeUs, toId } from "./sections.ts";

const states = "CA VA CO UT CT FL MT OR TX DE IA NE NH NJ TN MN MD IN KY RI".split(" ");
const sections = ["usnat", ...states.map((state) => `us${state.toLowerCase()}`)];
const vendors: UsFacts["vendors"] = [
  { name: "counter", uses: [] },
  { name: "ads" },
  { name: "social", uses: ["sharing", "advertising"] },
  { name: "health", uses: ["sensitive"] },
];

/** The choices of a visitor: vendors that run by default, and answers. */
function toChoices(
  byDefault: readonly string[],
  answers: Record<string, boolean>,
): UsFacts["choices"] {
  return {
    isPending: (name) => answers[name] === undefined,
    isAccepted: (name) => answers[name] ?? byDefault.includes(name),
  };
}

/** The fields of a section, read by IAB's decoder. */
function read(name: string, facts: Partial<UsFacts>): Record<string, unknown> {
  const choices = toChoices([], {});
  const text = encodeUs(name, { vendors, choices, gpc: false, mspa: undefined, ...facts });
  const model = new GppModel(text);
  assert.deepEqual(model.getSectionIds(), [toId(name)], text);
  return model.getSection(name);
}

/** Asserts those of the expected fields that a section has. */
function assertFields(
  name: string,
  facts: Partial<UsFacts>,
  expected: Record<string, unknown>,
): void {
  const found = read(name, facts);
  const own = Object.entries(expected).filter(([field]) => field in found);
  assert.ok(own.length > 1, name);
  for (const [field, value] of own) {
    const given = found[field];
    const alike = Array.isArray(given) ? given.map(() => value) : value;
    assert.deepEqual(given, alike, `${name} ${field}`);
  }
}

const all = vendors.map(({ name }) => name);
const isOptOutOfSensitive = (name: string): boolean => ["usca", "usut", "usia"].includes(name);

for (const name of sections) {
  test(`${name}: a default is no opt-out, and no consent to sensitive data`, () => {
    assertFields(
      name,
      { choices: toChoices(all, {}) },
      {
        SharingNotice: 1,
        ProcessingNotice: 1,
        SaleOptOutNotice: 1,
        SharingOptOutNotice: 1,
        TargetedAdvertisingOptOutNotice: 1,
        SensitiveDataProcessingOptOutNotice: 1,
        SensitiveDataLimitUseNotice: 1,
        SensitiveDataOptOutNotice: 1,
        SaleOptOut: 2,
        SharingOptOut: 2,
        TargetedAdvertisingOptOut: 2,
        SensitiveDataProcessing: isOptOutOfSensitive(name) ? 2 : 1,
        KnownChildSensitiveDataConsents: 0,
        PersonalDataConsents: 0,
        AdditionalDataProcessingConsent: 0,
        MspaCoveredTransaction: 2,
        MspaOptOutOptionMode: 0,
        MspaServiceProviderMode: 0,
        MspaMode: 0,
        Gpc: false,
      },
    );
  });

  test(`${name}: one refused vendor is an opt-out of its uses, and only of these`, () => {
    const choices = toChoices(all, { social: false, health: true });
    assertFields(
      name,
      { choices, gpc: true, mspa: "opt-out" },
      {
        SaleOptOut: 2,
        SharingOptOut: 1,
        TargetedAdvertisingOptOut: 1,
        SensitiveDataProcessing: 2,
        MspaCoveredTransaction: 1,
        MspaOptOutOptionMode: 1,
        MspaServiceProviderMode: 2,
        MspaMode: 1,
        Gpc: true,
      },
    );
  });

  test(`${name}: vendors that are all off are an opt-out, and those without a use are not applicable`, () => {
    assertFields(
      name,
      { choices: toChoices([], {}), mspa: "service-provider" },
      {
        SaleOptOut: 1,
        SharingOptOut: 1,
        TargetedAdvertisingOptOut: 1,
        SensitiveDataProcessing: 1,
        MspaCoveredTransaction: 1,
        MspaOptOutOptionMode: 2,
        MspaServiceProviderMode: 1,
        MspaMode: 2,
      },
    );
    assertFields(
      name,
      { vendors: [{ name: "counter", uses: [] }], choices: toChoices(all, {}) },
      {
        SaleOptOutNotice: 0,
        SharingOptOutNotice: 0,
        TargetedAdvertisingOptOutNotice: 0,
        SensitiveDataLimitUseNotice: 0,
        SaleOptOut: 0,
        SharingOptOut: 0,
        TargetedAdvertisingOptOut: 0,
        SensitiveDataProcessing: 0,
      },
    );
  });
}

test("chooses one section: national, or that of the state if it has one", () => {
  const national = { isByState: false, hasTcf: true };
  const byState = { isByState: true, hasTcf: true };
  for (const state of states) {
    assert.equal(chooseSection(`US-${state}`, national), "usnat");
    assert.equal(chooseSection(`US-${state}`, byState), `us${state.toLowerCase()}`);
  }
  assert.equal(chooseSection("US-NY", byState), "usnat");
  assert.equal(chooseSection("US", byState), "usnat");
});

test("chooses TCF in the EEA, the United Kingdom and Switzerland, and in an unknown region", () => {
  for (const region of ["FR", "FR-IDF", "IS", "GB", "CH", undefined]) {
    assert.equal(chooseSection(region, { isByState: false, hasTcf: true }), "tcfeuv2");
    assert.equal(chooseSection(region, { isByState: false, hasTcf: false }), undefined);
  }
  assert.equal(chooseSection("BR", { isByState: true, hasTcf: true }), undefined);
  assert.deepEqual([toId("tcfeuv2"), toId("usnat"), toId(undefined)], [2, 7, -1]);
  assert.deepEqual(new GppModel(encodeNothing()).getSectionIds(), []);
});

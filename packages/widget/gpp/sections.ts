import { GppModel, Sections, TcfEuV2, UsNat } from "@iabgpp/cmpapi";
import type { Vendor } from "@avow/contract/configuration";
import { type VendorUse, regionGroups, soldUses } from "@avow/contract/regions";

/** No section applies (CMP API, `applicableSections`). */
const NO_SECTION = -1;

/** The values of a choice in all sections of the United States; `NO` is an opt-out, or the lack of consent. */
const NOT_APPLICABLE = 0;
const NO = 1;
const YES = 2;
type Choice = typeof NOT_APPLICABLE | typeof NO | typeof YES;
/** The value of a notice that was given. */
const NOTICE = 1;
/** States whose visitors opt out of the use of sensitive data; elsewhere its use needs consent. */
const sensitiveOptOut = new Set(["usca", "usut", "usia"]);

/** The site's role in IAB's Multi-State Privacy Agreement; undefined if it has not signed it. */
type Mspa = "opt-out" | "service-provider" | undefined;

/**
 * The section that applies in a region; undefined for none. IAB's CMP API requires a single one: in the national approach
 * that of the United States, otherwise that of the state, if it has one.
 */
export function chooseSection(
  region: string | undefined,
  { isByState, hasTcf }: { isByState: boolean; hasTcf: boolean },
): string | undefined {
  const [country = "", state = ""] = region?.split("-") ?? [];
  if (country === "US") {
    const name = `us${state.toLowerCase()}`;
    return isByState && toId(name) !== NO_SECTION ? name : UsNat.NAME;
  }
  const isTcf = !region || ["GB", "CH", ...(regionGroups["EEA"] ?? [])].includes(country);
  return hasTcf && isTcf ? TcfEuV2.NAME : undefined;
}

/** The id of a section, `NO_SECTION` if there is none. */
export function toId(name: string | undefined): number {
  const found = [...Sections.SECTION_ID_NAME_MAP].find(([, section]) => section === name);
  return found?.[0] ?? NO_SECTION;
}

/** The GPP string of a section; without one, or before TCF has an answer, that without a section. */
export function encodeSection(
  name: string | undefined,
  { tcString, ...facts }: UsFacts & { tcString: string | undefined },
): string {
  if (name === TcfEuV2.NAME) return tcString ? encodeTcf(tcString) : encodeNothing();
  return name ? encodeUs(name, facts) : encodeNothing();
}

/** The GPP string without a section. */
export function encodeNothing(): string {
  return new GppModel().encode();
}

/** The GPP string with the unchanged TC string, which the library would encode differently. */
export function encodeTcf(tcString: string): string {
  const model = new GppModel();
  model.decodeSection(TcfEuV2.NAME, tcString);
  const [header = ""] = model.encode().split("~");
  return `${header}~${tcString}`;
}

export interface UsFacts {
  /** The vendors that can be refused. */
  vendors: readonly Pick<Vendor, "name" | "uses">[];
  choices: {
    isAccepted: (vendor: string) => boolean;
    /** Whether a vendor has no answer, thus a default. */
    isPending: (vendor: string) => boolean;
  };
  gpc: boolean;
  mspa: Mspa;
}

/** The GPP string with a section of the United States. */
export function encodeUs(name: string, { vendors, choices, gpc, mspa }: UsFacts): string {
  const listBy = (use: VendorUse): UsFacts["vendors"] =>
    vendors.filter(({ uses = soldUses }) => uses.includes(use));
  const sale = toOptOut(listBy("sale"), choices);
  const sharing = toOptOut(listBy("sharing"), choices);
  const advertising = toOptOut(listBy("advertising"), choices);
  const sensitive = sensitiveOptOut.has(name)
    ? toOptOut(listBy("sensitive"), choices)
    : toConsent(listBy("sensitive"), choices);
  const sensitiveNotice = toNotice(sensitive);
  const model = new GppModel();
  // Sections differ in their fields, which exist once one is set. All sections have this one.
  model.setFieldValue(name, "MspaCoveredTransaction", mspa ? 1 : 2);
  const set = (field: string, value: number | boolean): void => {
    if (!model.hasField(name, field)) return;
    const before: unknown = model.getFieldValue(name, field);
    // A list has a value for each category of data, which vendors do not distinguish.
    model.setFieldValue(name, field, Array.isArray(before) ? before.map(() => value) : value);
  };
  set("MspaOptOutOptionMode", mspa ? (mspa === "opt-out" ? 1 : 2) : NOT_APPLICABLE);
  set("MspaServiceProviderMode", mspa ? (mspa === "opt-out" ? 2 : 1) : NOT_APPLICABLE);
  // In later sections one field has both.
  set("MspaMode", mspa ? (mspa === "opt-out" ? 1 : 2) : NOT_APPLICABLE);
  set("SharingNotice", NOTICE);
  set("ProcessingNotice", NOTICE);
  set("SaleOptOutNotice", toNotice(sale));
  set("SharingOptOutNotice", toNotice(sharing));
  set("TargetedAdvertisingOptOutNotice", toNotice(advertising));
  set("SensitiveDataProcessingOptOutNotice", sensitiveNotice);
  set("SensitiveDataLimitUseNotice", sensitiveNotice);
  set("SensitiveDataOptOutNotice", sensitiveNotice);
  set("SaleOptOut", sale);
  set("SharingOptOut", sharing);
  set("TargetedAdvertisingOptOut", advertising);
  set("SensitiveDataProcessing", sensitive);
  set("Gpc", gpc);
  return model.encode();
}

/**
 * Whether the visitor opted out of a use. The string cannot name vendors: refusing one of a use counts as an opt-out of the
 * use, and so does a use whose vendors are all off.
 */
function toOptOut(
  vendors: UsFacts["vendors"],
  { isAccepted, isPending }: UsFacts["choices"],
): Choice {
  if (vendors.length === 0) return NOT_APPLICABLE;
  const isRefused = vendors.some(({ name }) => !isPending(name) && !isAccepted(name));
  return isRefused || !vendors.some(({ name }) => isAccepted(name)) ? NO : YES;
}

/** Whether the visitor consented to a use: every vendor was accepted by an answer, not by a default. */
function toConsent(
  vendors: UsFacts["vendors"],
  { isAccepted, isPending }: UsFacts["choices"],
): Choice {
  if (vendors.length === 0) return NOT_APPLICABLE;
  return vendors.every(({ name }) => !isPending(name) && isAccepted(name)) ? YES : NO;
}

function toNotice(choice: Choice): number {
  return choice === NOT_APPLICABLE ? NOT_APPLICABLE : NOTICE;
}

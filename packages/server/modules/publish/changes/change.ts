import { additions } from "../../consents/offers/agreement.ts";

/** The meaning of a change for people who have answered; `additions` ask for more than before. */
export const changeClasses = [
  "new-configuration",
  "removed-configuration",
  "new-vendor",
  "removed-vendor",
  ...additions,
  "new-controller",
  "wording",
  "settings",
  "design",
] as const;
export type ChangeClass = (typeof changeClasses)[number];

export const changeKinds = ["new", "removed", "moved", "changed"] as const;
export type ChangeKind = (typeof changeKinds)[number];

/** The people asked because of a change: `again` those who have accepted, `first` everybody for the first time. */
export const askKinds = ["again", "first", "nobody"] as const;
export type AskKind = (typeof askKinds)[number];

/** Types of items in a configuration's lists; `entry` is any other item. */
export const itemTypes = [
  "step",
  "vendor",
  "partner",
  "processor",
  "button",
  "confirmation",
  "entry",
] as const;
export type ItemType = (typeof itemTypes)[number];

/** How a value is displayed. */
export const valueTypes = [
  "text",
  "number",
  "switch",
  "color",
  "list",
  "position",
  "step",
] as const;
type ValueType = (typeof valueTypes)[number];

/** The configuration that a change belongs to. */
export interface ChangedConfiguration {
  collection: "cookies" | "processings" | "contracts" | "contractsV2";
  identifier: string;
  name: string;
  language?: string;
}

/** An item of a list in a configuration, or a partner. */
export interface ChangedItem {
  type: ItemType;
  name: string;
  /** A step's name, a vendor's slug or a partner's number in the vendor list. */
  id?: string;
  /** For a vendor, the title of its step. */
  within?: string;
}

/** A value before or after a change, short enough for a list. */
export interface ChangeValue {
  type: ValueType;
  /** At most 220 characters; for a list, at most 20 of its removed or added entries. */
  text: string;
  /** A changed text in three parts: unchanged, changed, unchanged. */
  parts?: [string, string, string];
  /** Number of words of a text that is cut, or of removed or added entries of a list that is cut. */
  count?: number;
}

export interface ChangeLocation {
  configuration?: ChangedConfiguration;
  item?: ChangedItem;
  /** JSON pointer into the later version, or into the earlier version for a removal. */
  path: string;
}

/** A change with its raw values, from which its description is made. */
export interface DetectedChange extends ChangeLocation {
  class: ChangeClass;
  kind: ChangeKind;
  asks: AskKind;
  /** Path of the field in the item or the configuration; empty for the item or configuration itself. */
  keys: readonly string[];
  before?: unknown;
  after?: unknown;
  /** For a change of an offer: its meaning, as a sentence without its full stop, and the names in it. */
  meaning?: { sentence: string; about: string[] };
}

/** A JSON pointer to a member (RFC 6901). */
export function toPointer(path: string, key: string | number): string {
  return `${path}/${String(key).replaceAll("~", "~0").replaceAll("/", "~1")}`;
}

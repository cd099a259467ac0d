import { additions } from "../../consents/offers/agreement.ts";

/** What one change means for who has answered; `additions` ask for more than before. */
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

/** What happened to the item or field that a change is about. */
export const changeKinds = ["new", "removed", "moved", "changed"] as const;
export type ChangeKind = (typeof changeKinds)[number];

/** Who is asked: whoever has accepted it once more, everybody for the first time, or nobody. */
export const askings = ["again", "first", "nobody"] as const;
export type Asking = (typeof askings)[number];

/** What lists of configurations hold, as far as it is known by name; anything else is an `entry`. */
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

/** How a value is to be read. */
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

/** A configuration, as it is told of its changes. */
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
  /** Of a step, its name; of a vendor, its slug; of a partner, its number in the vendor list. */
  id?: string;
  /** Of a vendor: the title of its step. */
  within?: string;
}

/** A value before or after, short enough to be read in a list. */
export interface ChangeValue {
  type: ValueType;
  /** At most 220 characters; of a list, what is gone from it or new in it, at most 20 of them. */
  text: string;
  /** Of a text that was changed, the same in three: what is as before, what is not, what is as before again. */
  parts?: [string, string, string];
  /** Of a text that is cut, how many words it has; of a list that is, how many are gone or new. */
  count?: number;
}

/** Where a change is. */
export interface Spot {
  configuration?: ChangedConfiguration;
  item?: ChangedItem;
  /** Where, as a JSON pointer into the later version; of what was removed, into the earlier one. */
  path: string;
}

/** A change that was found: what it is about, and the values as they stand, from which it is told. */
export interface Found extends Spot {
  class: ChangeClass;
  kind: ChangeKind;
  asks: Asking;
  /** The field's name, in the item or the configuration, with those that it is in; none for all of it. */
  keys: readonly string[];
  before?: unknown;
  after?: unknown;
  /** Of what is weighed: what it means, as a sentence without its full stop, and what that names. */
  meaning?: { sentence: string; about: string[] };
}

/** A JSON pointer to a member (RFC 6901). */
export function toPointer(path: string, key: string | number): string {
  return `${path}/${String(key).replaceAll("~", "~0").replaceAll("/", "~1")}`;
}

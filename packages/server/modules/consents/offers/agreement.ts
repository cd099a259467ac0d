import type { Vendor } from "@avow/contract/configuration";

/** A recipient of the data of a processing. */
export interface Recipient {
  name: string;
  /** The host of its website; '' without one. */
  host: string;
  country: string;
}

/** The full terms of an offer. Its substance covers a part of them. */
export interface Agreement {
  /** The document of a contract: its hash or its URL. */
  file?: string | undefined;
  // The next fields belong to processings.
  purpose?: string | undefined;
  personalDataTypes?: readonly string[];
  processors?: readonly string[];
  recipients?: readonly Recipient[];
  automatedDecisions?: boolean;
  /** In months. */
  storageDuration?: number | undefined;
  // The next fields belong to vendors.
  name?: string;
  title?: string | undefined;
  domain?: string | undefined;
  policyHost?: string;
  type?: string | undefined;
  googleConsentMode?: Vendor["googleConsentMode"] | undefined;
}

/** The ways in which a later offer can ask for more than an earlier one, so that it needs new consent (EDPB 05/2020). */
export const additions = [
  "new-purpose",
  "new-recipient",
  "more-data",
  "longer-storage",
  "fewer-safeguards",
  "new-terms",
] as const;
export type Addition = (typeof additions)[number];

/**
 * The ways in which `after` asks for more than `before`, for the same item. Asking for less is no addition: shorter
 * storage, or fewer data types, recipients or signals. Ignores case, white space and a full stop at the end.
 */
export function listAdditions(before: Agreement | null, after: Agreement | null): Addition[] {
  const [from, to] = [before ?? {}, after ?? {}];
  const isOther = (field: "purpose" | "type" | "file"): boolean =>
    plain(from[field]) !== plain(to[field]);
  const found: Record<Addition, boolean> = {
    "new-purpose":
      isOther("purpose") ||
      isOther("type") ||
      hasMore(signalsOf(from.googleConsentMode), signalsOf(to.googleConsentMode)),
    "new-recipient": isOtherVendor(from, to) || hasMore(recipientsOf(from), recipientsOf(to)),
    "more-data": hasMore(toPlainTexts(from.personalDataTypes), toPlainTexts(to.personalDataTypes)),
    "longer-storage": monthsOf(to) > monthsOf(from),
    "fewer-safeguards":
      (to.automatedDecisions === true && from.automatedDecisions !== true) ||
      hasMore(countriesOf(from), countriesOf(to)),
    "new-terms": isOther("file"),
  };
  return additions.filter((addition) => found[addition]);
}

/** A text, normalized for comparison. */
function plain(value = ""): string {
  const text = value.normalize("NFKC").toLowerCase().replaceAll(/\s+/g, " ").trim();
  return text.replace(/\.$/, "").trim();
}

function hasMore(before: readonly string[], after: readonly string[]): boolean {
  return after.some((one) => !before.includes(one));
}

function toPlainTexts(values: readonly string[] = []): string[] {
  return values.map((value) => plain(value)).filter(Boolean);
}

/** Compares vendors by domain, otherwise by the host of their policy, otherwise by title. */
function isOtherVendor(from: Agreement, to: Agreement): boolean {
  const kind = (["domain", "policyHost", "title"] as const).find(
    (field) => plain(from[field]) && plain(to[field]),
  );
  return kind !== undefined && plain(from[kind]) !== plain(to[kind]);
}

function recipientsOf({ recipients = [] }: Agreement): string[] {
  return recipients.map(({ name, host }) => `${plain(name)} ${plain(host)}`);
}

/** The countries of recipients that state one: data in another country may be less protected. */
function countriesOf({ recipients = [] }: Agreement): string[] {
  return recipients.flatMap(({ name, country }) =>
    plain(country) ? [`${plain(name)} ${plain(country)}`] : [],
  );
}

/** Signals of Google's consent mode: a list of names, or an object by name. */
function signalsOf(signals: Agreement["googleConsentMode"] = []): string[] {
  if (Array.isArray(signals)) return toPlainTexts(signals);
  return Object.entries(signals).flatMap(([name, isOn]) => (isOn === false ? [] : [name]));
}

/** Storage in months: unlimited if a processing states none; 0 for other offers. */
function monthsOf({ automatedDecisions, storageDuration = Infinity }: Agreement): number {
  // Only processings have this field, and they always do.
  return automatedDecisions === undefined ? 0 : storageDuration;
}

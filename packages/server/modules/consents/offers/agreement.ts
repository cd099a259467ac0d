import type { Vendor } from "@avow/contract/configuration";

/** Who receives the data of a processing. */
export interface Recipient {
  name: string;
  /** Host of its website; '' without one. */
  host: string;
  country: string;
}

/** The full terms of one offer; the digest of its substance leaves some of them out. */
export interface Agreement {
  /** The document of a contract, by its hash or its address. */
  file?: string | undefined;
  /** Of a processing. */
  purpose?: string | undefined;
  personalDataTypes?: readonly string[];
  processors?: readonly string[];
  recipients?: readonly Recipient[];
  automatedDecisions?: boolean;
  /** In months. */
  storageDuration?: number | undefined;
  /** Of a vendor. */
  name?: string;
  title?: string | undefined;
  domain?: string | undefined;
  policyHost?: string;
  type?: string | undefined;
  googleConsentMode?: Vendor["googleConsentMode"] | undefined;
}

/** In what a later offer asks for more than an earlier one (EDPB 05/2020: what a new consent is needed for). */
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
 * In what `after` asks for more than `before`, of the same item; nothing where it asks for the same or
 * for less: a shorter storage, data or recipients that are gone, a signal that is not asked for any more.
 * Capitals, spaces and the full stop at an end are no difference.
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

/** A text as it is compared. */
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

/** Compares vendors by domain, else by the host of their policy, else by title. */
function isOtherVendor(from: Agreement, to: Agreement): boolean {
  const kind = (["domain", "policyHost", "title"] as const).find(
    (field) => plain(from[field]) && plain(to[field]),
  );
  return kind !== undefined && plain(from[kind]) !== plain(to[kind]);
}

function recipientsOf({ recipients = [] }: Agreement): string[] {
  return recipients.map(({ name, host }) => `${plain(name)} ${plain(host)}`);
}

/** Countries of the recipients that state one: data in another country is less protected. */
function countriesOf({ recipients = [] }: Agreement): string[] {
  return recipients.flatMap(({ name, country }) =>
    plain(country) ? [`${plain(name)} ${plain(country)}`] : [],
  );
}

/** Signals of Google's consent mode: a list of names, or an object of those that are on. */
function signalsOf(signals: Agreement["googleConsentMode"] = []): string[] {
  if (Array.isArray(signals)) return toPlainTexts(signals);
  return Object.entries(signals).flatMap(([name, isOn]) => (isOn === false ? [] : [name]));
}

/** Storage in months: unlimited if a processing states none, 0 for anything but a processing. */
function monthsOf({ automatedDecisions, storageDuration = Infinity }: Agreement): number {
  // Every processing has this field; a purpose may be missing.
  return automatedDecisions === undefined ? 0 : storageDuration;
}

/** What is agreed to with one offer, in full; the digest of its substance leaves some of it out. */
export type Agreed = Readonly<Record<string, unknown>> | null;

type Fields = Readonly<Record<string, unknown>>;

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
export function listAdditions(before: Agreed, after: Agreed): Addition[] {
  const [from, to] = [before ?? {}, after ?? {}];
  const isOther = (field: string): boolean => plain(from[field]) !== plain(to[field]);
  const found: Record<Addition, boolean> = {
    "new-purpose":
      isOther("purpose") ||
      isOther("type") ||
      hasMore(signalsOf(from["googleConsentMode"]), signalsOf(to["googleConsentMode"])),
    "new-recipient": isOtherVendor(from, to) || hasMore(recipientsOf(from), recipientsOf(to)),
    "more-data": hasMore(textsOf(from["personalDataTypes"]), textsOf(to["personalDataTypes"])),
    "longer-storage": monthsOf(to) > monthsOf(from),
    "fewer-safeguards":
      (to["automatedDecisions"] === true && from["automatedDecisions"] !== true) ||
      hasMore(countriesOf(from), countriesOf(to)),
    "new-terms": isOther("file"),
  };
  return additions.filter((addition) => found[addition]);
}

/** A text as it is compared. */
function plain(value: unknown): string {
  if (typeof value !== "string") return "";
  const text = value.normalize("NFKC").toLowerCase().replaceAll(/\s+/g, " ").trim();
  return text.replace(/\.$/, "").trim();
}

function hasMore(before: readonly string[], after: readonly string[]): boolean {
  return after.some((one) => !before.includes(one));
}

function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.map(plain).filter(Boolean) : [];
}

/** Who a vendor is: by its domain, where that is not told by whose policy it names, or else by its title. */
function isOtherVendor(from: Fields, to: Fields): boolean {
  const kind = ["domain", "policyHost", "title"].find(
    (field) => plain(from[field]) && plain(to[field]),
  );
  return kind !== undefined && plain(from[kind]) !== plain(to[kind]);
}

/** Recipients of a processing, as `{ name, host, country }`. */
function listRecipients(agreed: Fields): Fields[] {
  const { recipients } = agreed;
  return Array.isArray(recipients) ? (recipients as Fields[]) : [];
}

function recipientsOf(agreed: Fields): string[] {
  return listRecipients(agreed).map(({ name, host }) => `${plain(name)} ${plain(host)}`);
}

/** Where recipients are, as far as that is told: data that goes to another country is less protected. */
function countriesOf(agreed: Fields): string[] {
  return listRecipients(agreed).flatMap(({ name, country }) =>
    plain(country) ? [`${plain(name)} ${plain(country)}`] : [],
  );
}

/** Signals of Google's consent mode: a list of names, or an object of those that are on. */
function signalsOf(value: unknown): string[] {
  if (Array.isArray(value) || typeof value !== "object" || value === null) return textsOf(value);
  return Object.entries(value).flatMap(([name, isOn]) => (isOn === false ? [] : [name]));
}

/** What does not say for how long may be kept for ever; what is no processing keeps nothing by itself. */
function monthsOf(agreed: Fields): number {
  // Of a processing this is always told; a purpose may be missing.
  if (!("automatedDecisions" in agreed)) return 0;
  const months = agreed["storageDuration"];
  return typeof months === "number" ? months : Infinity;
}

/** What is agreed to with one offer, wording aside; its digest is the offer's substance. */
export type Agreed = Readonly<Record<string, unknown>> | null;

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
 */
export function listAdditions(before: Agreed, after: Agreed): Addition[] {
  const [from, to] = [before ?? {}, after ?? {}];
  const isOther = (field: string): boolean => (from[field] ?? "") !== (to[field] ?? "");
  const found: Record<Addition, boolean> = {
    "new-purpose":
      isOther("purpose") ||
      isOther("type") ||
      hasMore(signalsOf(from["googleConsentMode"]), signalsOf(to["googleConsentMode"])),
    "new-recipient":
      isOther("domain") || hasMore(textsOf(from["processors"]), textsOf(to["processors"])),
    "more-data": hasMore(textsOf(from["personalDataTypes"]), textsOf(to["personalDataTypes"])),
    "longer-storage": monthsOf(to) > monthsOf(from),
    "fewer-safeguards": to["automatedDecisions"] === true && from["automatedDecisions"] !== true,
    "new-terms": isOther("file"),
  };
  return additions.filter((addition) => found[addition]);
}

function hasMore(before: readonly string[], after: readonly string[]): boolean {
  return after.some((one) => !before.includes(one));
}

function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === "string") : [];
}

/** Signals of Google's consent mode: a list of names, or an object of those that are on. */
function signalsOf(value: unknown): string[] {
  if (Array.isArray(value) || typeof value !== "object" || value === null) return textsOf(value);
  return Object.entries(value).flatMap(([name, isOn]) => (isOn === false ? [] : [name]));
}

/** What does not say for how long may be kept for ever; what is no processing keeps nothing by itself. */
function monthsOf(agreed: Readonly<Record<string, unknown>>): number {
  // Of a processing this is always told; a purpose may be missing.
  if (!("automatedDecisions" in agreed)) return 0;
  const months = agreed["storageDuration"];
  return typeof months === "number" ? months : Infinity;
}

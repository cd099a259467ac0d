/** Whether an offer or a vendor is asked for. Required ones are always on. */
export function isAsked({ required }: { required?: boolean | undefined }): boolean {
  return required !== true;
}

/** The part of a person's answer that says which items are accepted. */
export interface GivenAnswer {
  accept: boolean;
  /** By slug. Undefined: `accept` is the answer for every vendor that is asked for. */
  vendors?: Readonly<Record<string, boolean>> | undefined;
}

/**
 * The answer to one item: '' for the configuration as a whole, otherwise a vendor's slug. Undefined if the answer
 * does not name the vendor.
 */
export function answerTo(item: string, { accept, vendors }: GivenAnswer): boolean | undefined {
  if (item === "" || !vendors) return accept;
  return Object.hasOwn(vendors, item) ? vendors[item] : undefined;
}

/** An answer in statistics: it accepts all items that it names, some or none. */
export type AnswerKind = "accepted" | "partly" | "refused";

/**
 * The kind of an answer that names `named` vendors and accepts `accepted` of them. `accept` is true if it accepts
 * any item, named or left unchanged. `addAnswers` is the same in SQL.
 */
export function toAnswerKind(accept: boolean, named: number, accepted: number): AnswerKind {
  if (named === 0) return accept ? "accepted" : "refused";
  if (accepted === named) return "accepted";
  return accepted === 0 && !accept ? "refused" : "partly";
}

/** Whether an offer or a vendor is asked for: what is required is always on. */
export function isAsked({ required }: { required?: boolean | undefined }): boolean {
  return required !== true;
}

/** A person's answer, as far as it says what is agreed to. */
export interface GivenAnswer {
  accept: boolean;
  /** By slug; without it, `accept` is the answer for every vendor that is asked. */
  vendors?: Readonly<Record<string, boolean>> | undefined;
}

/**
 * The answer to one item that is asked: '' for the configuration as a whole, otherwise a vendor's slug; undefined
 * where the answer does not name the vendor.
 */
export function answerTo(item: string, { accept, vendors }: GivenAnswer): boolean | undefined {
  if (item === "" || !vendors) return accept;
  return Object.hasOwn(vendors, item) ? vendors[item] : undefined;
}

/** An answer as it is counted: all that it names, part of it, or nothing. */
export type AnswerKind = "accepted" | "partly" | "refused";

/**
 * The kind of an answer that names `named` vendors and accepts `accepted` of them; `accept` says whether anything is
 * accepted, of those and of what it leaves as it was. `addAnswers` says the same in SQL.
 */
export function toAnswerKind(accept: boolean, named: number, accepted: number): AnswerKind {
  if (named === 0) return accept ? "accepted" : "refused";
  if (accepted === named) return "accepted";
  return accepted === 0 && !accept ? "refused" : "partly";
}

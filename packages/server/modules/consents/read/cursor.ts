import { Fault } from "../../../platform/errors.ts";
import { uuidPattern } from "../../../kernel/ids.ts";
import type { Offer } from "../offers/offer.ts";

/** The position of a reader of an accepted list, who has not seen any later change. */
export interface Mark {
  /** All records with lower ids were there. */
  id: string;
  /** Answers that had expired by then were left out. */
  instant: Date;
  /** The substances that counted during the reading (see `toSubstances`); several after a publication between pages. */
  substances: readonly string[];
}

/** How many parts of a cursor a mark takes. */
export const MARK_PARTS = 3;
const SUBSTANCES_MAX = 16;
const BETWEEN = "+";
/** The end of the year 9999, and as far back: what days can be added to and taken from. */
const INSTANT_MAX_MS = 253_402_300_799_999;

/** A mark as parts of a cursor. */
export function toMarkParts({ id, instant, substances }: Mark): string[] {
  return [id, instant.toISOString(), substances.join(" ")];
}

/** The mark in parts of a cursor of ours; undefined when it is none. */
export function parseMark(parts: readonly string[]): Mark | undefined {
  const [id = "", instant = "", substances = ""] = parts;
  const at = new Date(instant);
  if (!uuidPattern.test(id) || !(Math.abs(at.getTime()) <= INSTANT_MAX_MS)) return undefined;
  return { id, instant: at, substances: substances === "" ? [] : substances.split(" ") };
}

/** The substances whose acceptance counts for an offer. */
export function listSubstances({
  substance,
  covers,
}: Pick<Offer, "substance" | "covers">): string[] {
  return [substance, ...covers];
}

/** The same as one text of a mark. */
export function toSubstances(offer: Pick<Offer, "substance" | "covers">): string {
  return listSubstances(offer).join(BETWEEN);
}

/** All substances that a mark names. */
export function listMarked({ substances }: Mark): string[] {
  return substances.flatMap((text) => text.split(BETWEEN));
}

/**
 * Adds the substances that count now to a mark.
 * @throws Fault impossible when that changed again and again while one list was read
 */
export function withSubstances(mark: Mark, substances: string): Mark {
  if (mark.substances.includes(substances)) return mark;
  if (mark.substances.length < SUBSTANCES_MAX)
    return { ...mark, substances: [...mark.substances, substances] };
  const detail = "What is offered changed too often while this was read: read the list anew.";
  throw new Fault("impossible", detail);
}

import { Type } from "typebox";

const date = "\\d{4}-\\d\\d-\\d\\d";
const time = "(?:[01]\\d|2[0-3]):[0-5]\\d(?::[0-5]\\d(?:\\.\\d{1,9})?)?";
/** A plus sign that was not escaped in a URL arrives as a space. */
const zone = "(?:[Zz]|[-+ ](?:[01]\\d|2[0-3]):?[0-5]\\d)";
const pattern = `^${date}(?:[Tt ]${time}${zone}?)?$`;
const partsPattern = new RegExp(`^(${date})(?:[Tt ](${time})(${zone})?)?$`);
const LENGTH_MAX = 40;
const DAY_MS = 86_400_000;
/** The range of instants that PostgreSQL and four-digit years can both represent. */
const msMin = Date.parse("0001-01-01T00:00:00Z");
const msMax = Date.parse("9999-12-31T23:59:59.999Z");

/** The format of `InstantIn` in a schema. */
export const INSTANT_FORMAT = "instant";
/** The error for a text that is not an instant. */
export const instantMessage =
  "must be a date such as 2026-01-31, or a date and time such as 2026-01-31T09:30:00Z, of the years 1 to 9999";

/** An instant in a request (wire section 9, Dates). Texts that match the pattern are still checked by the calendar. */
export const InstantIn = Type.String({
  title: "Instant",
  format: INSTANT_FORMAT,
  pattern,
});

/** `InstantIn` in the OpenAPI document, which refers to it from each place. */
export const DocumentedInstant = {
  ...InstantIn,
  description:
    "a date in UTC (`2026-01-31`), which is its first instant where a period begins and its last where one ends; or a date and time (RFC 3339, `2026-01-31T09:30:00+01:00`), also with a space in place of `T`, and in UTC if it has no offset",
};

export function instantIn(description: string) {
  return Type.String({ ...InstantIn, description });
}

const datePattern = new RegExp(`^${date}$`);

/** Whether a text has the form of a date without a time. */
export function isDate(text: string): boolean {
  return datePattern.test(text);
}

/** The instants of a text: a single one, or those of a day in UTC. */
export interface Instants {
  first: Date;
  /** The last millisecond. */
  last: Date;
  /** As an exclusive bound: a time itself, or the start of the day after a date. */
  end: Date;
}

/** Parses an instant of a request; undefined for an invalid one, such as a day that the calendar does not have. */
export function parseInstants(text: string): Instants | undefined {
  if (text.length > LENGTH_MAX) return undefined;
  const [, day, clock, offset = "Z"] = partsPattern.exec(text) ?? [];
  if (day === undefined) return undefined;
  const midnight = new Date(`${day}T00:00:00Z`);
  // `Date` accepts 30 February as a day of March.
  if (Number.isNaN(midnight.getTime()) || midnight.toISOString().slice(0, 10) !== day)
    return undefined;
  if (clock === undefined) {
    const start = midnight.getTime();
    if (start < msMin) return undefined;
    const end = new Date(start + DAY_MS);
    return { first: midnight, last: new Date(start + DAY_MS - 1), end };
  }
  const signed = offset.replace(" ", "+").replace(/^(.\d\d)(\d\d)$/, "$1:$2");
  const at = new Date(`${day}T${clock}${signed.toUpperCase()}`);
  const isInRange = at.getTime() >= msMin && at.getTime() <= msMax;
  return isInRange ? { first: at, last: at, end: at } : undefined;
}

/**
 * The instants of a text that its schema has validated.
 * @throws RangeError for any other
 */
export function toInstants(text: string): Instants {
  const instants = parseInstants(text);
  if (!instants)
    throw new RangeError(`${JSON.stringify(text.slice(0, LENGTH_MAX))} is not an instant`);
  return instants;
}

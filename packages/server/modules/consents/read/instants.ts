import { Fault } from "../../../platform/errors.ts";

/** RFC 3339; `Date` alone takes much more than that. */
const instantPattern = /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d/;

/**
 * The instant that a query names; undefined where it names none.
 * @throws Fault invalid when it is none, or lies in the future: nobody can know it yet
 */
export function parsePast(
  text: string | undefined,
  { path, now }: { path: string; now: Date },
): Date | undefined {
  if (text === undefined) return undefined;
  const instant = new Date(instantPattern.test(text) ? text : Number.NaN);
  const lies = Number.isNaN(instant.getTime()) ? "is not an instant" : "lies in the future";
  if (instant <= now) return instant;
  throw new Fault("invalid", `${path}: ${lies}`, { faults: [{ path, message: lies }] });
}

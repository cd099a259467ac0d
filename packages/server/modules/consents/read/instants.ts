import { Fault } from "../../../platform/errors.ts";

/** RFC 3339; `Date` accepts many other formats. */
const instantPattern = /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d/;

/**
 * Parses an as-of time; undefined without one.
 * @throws Fault invalid for an invalid instant, or one in the future
 */
export function parsePast(
  text: string | undefined,
  { path, now }: { path: string; now: Date },
): Date | undefined {
  if (text === undefined) return undefined;
  const instant = new Date(instantPattern.test(text) ? text : Number.NaN);
  const message = Number.isNaN(instant.getTime())
    ? "is not an instant"
    : "must not be in the future";
  if (instant <= now) return instant;
  throw new Fault("invalid", `${path}: ${message}`, { faults: [{ path, message }] });
}

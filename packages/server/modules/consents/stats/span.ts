import { Fault } from "../../../platform/errors.ts";

/** What one number is of. */
export type Unit = "day" | "hour";

/** A stretch of time in days or hours of a time zone. */
export interface Span {
  from: Date;
  /** Exclusive. */
  to: Date;
  by: Unit;
  timeZone: string;
  /** Where each day or hour begins, the first at `from`. */
  starts: Date[];
}

/** A year by day, a month by hour. */
const UNITS_MAX = { day: 366, hour: 31 * 24 } as const;
/** Where nothing is said: the last thirty days, or two. */
const UNITS_DEFAULT = { day: 30, hour: 48 } as const;

const dayPattern = /^\d{4}-\d\d-\d\d$/;
/** RFC 3339; `Temporal` takes more than that. */
const instantPattern = /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d{1,9})?([Zz]|[+-]\d\d:\d\d)$/;
const zonePattern = /^[A-Za-z][\w+-]*(\/[\w+-]+)*$/;

interface SpanQuery {
  from?: string | undefined;
  to?: string | undefined;
  by: Unit;
  tz: string;
}

/**
 * The whole days or hours that a query asks for: `from` and `to` are days (`to` with it) or instants (`to`
 * without it), in the time zone `tz` (IANA). Days are as long as they are there: 23 hours when clocks are put
 * forward.
 * @throws Fault invalid for what is no day, instant or time zone, for an end before its beginning, and for more
 *   than 366 days or 744 hours
 */
export function toSpan({ from, to, by, tz }: SpanQuery, now: Date): Span {
  const timeZone = toTimeZone(tz);
  const floor = (at: Temporal.ZonedDateTime) =>
    by === "day" ? at.startOfDay() : at.round({ smallestUnit: "hour", roundingMode: "floor" });
  const next = (at: Temporal.ZonedDateTime, count = 1) =>
    by === "day" ? at.add({ days: count }).startOfDay() : at.add({ hours: count });
  const present = Temporal.Instant.fromEpochMilliseconds(now.getTime());
  const end = toEnd(to, timeZone) ?? next(floor(present.toZonedDateTimeISO(timeZone)));
  const first = toBeginning(from, timeZone) ?? next(end, -UNITS_DEFAULT[by]);
  if (Temporal.ZonedDateTime.compare(first, end) >= 0) throw toFault("?to", "must be after from");
  const starts: Date[] = [];
  let at = floor(first);
  for (; Temporal.ZonedDateTime.compare(at, end) < 0; at = next(at)) {
    if (starts.length === UNITS_MAX[by])
      throw toFault("?from", `must be at most ${UNITS_MAX[by]} ${by}s before to`);
    starts.push(new Date(at.epochMilliseconds));
  }
  const [begin = now] = starts;
  return { from: begin, to: new Date(at.epochMilliseconds), by, timeZone, starts };
}

function toTimeZone(text: string): string {
  try {
    // Offsets are no time zones: what days are there changes with the season.
    if (zonePattern.test(text))
      return new Intl.DateTimeFormat("en", { timeZone: text }).resolvedOptions().timeZone;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  throw toFault("?tz", "is not a time zone such as Europe/Paris");
}

function toBeginning(text: string | undefined, timeZone: string) {
  return text === undefined ? undefined : parse(text, "?from", timeZone).begin;
}

function toEnd(text: string | undefined, timeZone: string) {
  return text === undefined ? undefined : parse(text, "?to", timeZone).end;
}

/** A day as its beginning and its end, an instant as twice itself. */
function parse(text: string, path: string, timeZone: string) {
  try {
    if (dayPattern.test(text)) {
      const day = Temporal.PlainDate.from(text, { overflow: "reject" });
      const end = day.add({ days: 1 }).toZonedDateTime(timeZone);
      return { begin: day.toZonedDateTime(timeZone), end };
    }
    if (instantPattern.test(text)) {
      const instant = Temporal.Instant.from(text).toZonedDateTimeISO(timeZone);
      return { begin: instant, end: instant };
    }
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  throw toFault(path, "is neither a day (2026-01-31) nor an instant (RFC 3339)");
}

function toFault(path: string, message: string): Fault {
  return new Fault("invalid", `${path}: ${message}`, { faults: [{ path, message }] });
}

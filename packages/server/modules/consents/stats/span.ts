import { instantMessage, isDate, parseInstants } from "@avow/contract/instants";
import { Fault } from "../../../platform/errors.ts";
import { findTimeZone, timeZoneMessage } from "../../../platform/text/time-zone.ts";

export type Unit = "day" | "hour";

/** A period in days or hours of a time zone. */
export interface Span {
  from: Date;
  /** Exclusive. */
  to: Date;
  by: Unit;
  timeZone: string;
  /** The start of each day or hour, beginning with `from`. */
  starts: Date[];
}

/** Limits: a year by day, a month by hour. */
const UNITS_MAX = { day: 366, hour: 31 * 24 } as const;
/** Defaults: the last thirty days, or two days by hour. */
const UNITS_DEFAULT = { day: 30, hour: 48 } as const;

interface SpanQuery {
  from?: string | undefined;
  to?: string | undefined;
  by: Unit;
  tz: string;
}

/**
 * The period of a query in whole days or hours: `from` and `to` are days (`to` inclusive) or instants (`to` exclusive),
 * in the time zone `tz` (IANA). Days follow the time zone: 23 hours when clocks are put forward.
 * @throws Fault invalid for an invalid day, instant or time zone, for an end before the start, and for more than 366
 *   days or 744 hours
 */
export function toSpan({ from, to, by, tz }: SpanQuery, now: Date): Span {
  const timeZone = findTimeZone(tz);
  if (timeZone === undefined) throw toFault("?tz", timeZoneMessage);
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

function toBeginning(text: string | undefined, timeZone: string) {
  return text === undefined ? undefined : parse(text, "?from", timeZone).begin;
}

function toEnd(text: string | undefined, timeZone: string) {
  return text === undefined ? undefined : parse(text, "?to", timeZone).end;
}

/** The begin and end of a day; an instant is both. */
function parse(text: string, path: string, timeZone: string) {
  const instants = parseInstants(text);
  if (!instants) throw toFault(path, instantMessage);
  if (isDate(text)) {
    const day = Temporal.PlainDate.from(text);
    const end = day.add({ days: 1 }).toZonedDateTime(timeZone);
    return { begin: day.toZonedDateTime(timeZone), end };
  }
  const at = Temporal.Instant.fromEpochMilliseconds(instants.first.getTime());
  const instant = at.toZonedDateTimeISO(timeZone);
  return { begin: instant, end: instant };
}

/** The fault of an invalid parameter. */
export function toFault(path: string, message: string): Fault {
  return new Fault("invalid", `${path}: ${message}`, { faults: [{ path, message }] });
}

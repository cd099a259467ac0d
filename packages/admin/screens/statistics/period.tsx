import { parameters, setParameters } from "../../browser/router.ts";
import { getOwnZone, listZones } from "../../browser/time-zones.ts";
import { Choice, Field } from "../../ui/forms/form.tsx";
import { statisticsWords } from "../../words/statistics/words.ts";
import type { StatisticsQuery } from "./tables.tsx";

const DAY_MS = 86_400_000;
const SPAN = "30";
/** Longer periods are by day: the chart of more hours cannot be read. */
const HOURLY_DAYS_MAX = 2;
const DAYS_MAX = 366;
/** The spans that sites are compared by, in whole days. */
const siteSpans = ["7", "30", "90"] as const;
const dayPattern = /^\d{4}-\d{2}-\d{2}$/;

/** The period of a screen's numbers, as its address has it. */
export interface Period {
  /** A number of days up to today, or `dates`. */
  span: string;
  query: StatisticsQuery;
}

/** Reads the period of the address. An invalid part of it has its default. */
export function readPeriod(now = new Date()): Period {
  const given = parameters.value;
  const tz = readZone(given.get("tz"));
  const today = toDate(now, tz);
  const chosen = given.get("span") ?? SPAN;
  const span = Object.hasOwn(statisticsWords.value.spans, chosen) ? chosen : SPAN;
  if (span !== "dates") {
    const days = Number(span);
    return { span, query: { from: addDays(today, 1 - days), to: today, by: toBy(days), tz } };
  }
  const to = toEarlier(readDay(given.get("to")) ?? today, today);
  const wished = toEarlier(readDay(given.get("from")) ?? addDays(to, -29), to);
  const earliest = addDays(to, 1 - DAYS_MAX);
  const from = wished < earliest ? earliest : wished;
  const days = 1 + Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS);
  return { span, query: { from, to, by: toBy(days), tz } };
}

/** The choice of period and time zone, which the address keeps. */
export function PeriodChoice({ period: { span, query } }: { period: Period }) {
  const texts = statisticsWords.value;
  const today = toDate(new Date(), query.tz);
  const goTo = (more: Record<string, string>): void => {
    const { from, to, tz } = query;
    const asked = { span, from, to, tz, ...more };
    setParameters(asked.span === "dates" ? asked : { ...asked, from: "", to: "" });
  };
  const toInput = (name: "from" | "to", limits: { min?: string; max: string }) => (
    <Field
      name={name}
      type="date"
      label={texts[name]}
      value={query[name]}
      required
      {...limits}
      onChange={(value) => value !== "" && goTo({ [name]: value })}
    />
  );
  return (
    <>
      <Choice
        name="span"
        label={texts.span}
        value={span}
        onChange={(chosen) => goTo({ span: chosen })}
        options={Object.entries(texts.spans)}
      />
      {span === "dates" && (
        <>
          {toInput("from", { max: query.to })}
          {toInput("to", { min: query.from, max: today })}
        </>
      )}
      <Choice
        name="tz"
        label={texts.timeZone}
        value={query.tz}
        onChange={(tz) => goTo({ tz })}
        options={listZones(query.tz)}
      />
    </>
  );
}

/** Reads the number of days that sites are compared by from the address. An invalid one has its default. */
export function readSiteDays(): number {
  const chosen = parameters.value.get("span");
  return Number(siteSpans.find((one) => one === chosen) ?? SPAN);
}

/** The choice of the latest whole days that sites are compared by, which the address keeps. */
export function SiteDaysChoice({ days }: { days: number }) {
  const texts = statisticsWords.value;
  return (
    <Choice
      name="span"
      label={texts.span}
      value={String(days)}
      onChange={(span) => setParameters({ span, from: "", to: "" })}
      options={siteSpans.map((one) => [one, texts.spans[one]])}
    />
  );
}

function toBy(days: number): "day" | "hour" {
  return days <= HOURLY_DAYS_MAX ? "hour" : "day";
}

/** A time zone that this browser knows: the given one, or that of the browser. */
function readZone(given: string | null): string {
  const own = getOwnZone();
  if (given === null) return own;
  try {
    return new Intl.DateTimeFormat("en", { timeZone: given }).resolvedOptions().timeZone;
  } catch {
    return own;
  }
}

function readDay(given: string | null): string | undefined {
  if (given === null || !dayPattern.test(given) || Number.isNaN(Date.parse(given)))
    return undefined;
  // Days after the end of a month are parsed as those of the next one.
  return addDays(given, 0) === given ? given : undefined;
}

function toEarlier(one: string, other: string): string {
  return one < other ? one : other;
}

/** The day of an instant in a time zone, as `2026-11-28`. */
function toDate(at: Date, timeZone: string): string {
  const options = { timeZone, year: "numeric", month: "2-digit", day: "2-digit" } as const;
  return new Intl.DateTimeFormat("en-CA", options).format(at);
}

function addDays(day: string, days: number): string {
  return new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);
}

import { go, parameters } from "../../browser/router.ts";
import { Choice, Field } from "../../ui/forms/form.tsx";
import { statisticsWords } from "../../words/statistics/words.ts";
import { toSearch } from "../consents/paths.ts";
import type { StatisticsQuery } from "./tables.tsx";

const DAY_MS = 86_400_000;
const SPAN = "30";
/** Longer periods are by day: the chart of more hours cannot be read. */
const HOURLY_DAYS_MAX = 2;
const DAYS_MAX = 366;
const dayPattern = /^\d{4}-\d{2}-\d{2}$/;

/** The period of a screen's numbers, as its address has it. */
export interface Period {
  /** A number of days up to today, or `dates`. */
  span: string;
  days: number;
  query: StatisticsQuery;
}

/** Reads the period of the address. An invalid part of it has its default. */
export function readPeriod(now = new Date()): Period {
  const given = parameters.value;
  const tz = readZone(given.get("tz"));
  const today = toDate(now, tz);
  const chosen = given.get("span") ?? SPAN;
  const span = chosen in statisticsWords.value.spans ? chosen : SPAN;
  if (span !== "dates") {
    const days = Number(span);
    return { span, days, query: { from: addDays(today, 1 - days), to: today, by: toBy(days), tz } };
  }
  const to = toEarlier(readDay(given.get("to")) ?? today, today);
  const wished = toEarlier(readDay(given.get("from")) ?? addDays(to, -29), to);
  const earliest = addDays(to, 1 - DAYS_MAX);
  const from = wished < earliest ? earliest : wished;
  const days = 1 + Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS);
  return { span, days, query: { from, to, by: toBy(days), tz } };
}

/** The choice of period and time zone, which the address keeps. */
export function PeriodChoice({ period: { span, query } }: { period: Period }) {
  const texts = statisticsWords.value;
  const today = toDate(new Date(), query.tz);
  const goTo = (more: Record<string, string>): void => {
    const { from, to, tz } = query;
    const asked = { ...Object.fromEntries(parameters.value), span, from, to, tz, ...more };
    const { from: first, to: last, ...own } = asked;
    const dates = asked.span === "dates" ? { from: first, to: last } : {};
    go(toSearch({ ...own, ...dates }), { replace: true });
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
        options={listZones(query.tz).map((zone) => [zone, zone.replaceAll("_", " ")])}
      />
    </>
  );
}

function toBy(days: number): "day" | "hour" {
  return days <= HOURLY_DAYS_MAX ? "hour" : "day";
}

function getOwnZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone;
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

/** All time zones, that of the browser and UTC first. */
function listZones(chosen: string): string[] {
  const first = [getOwnZone(), "UTC", chosen];
  return [...new Set([...first, ...Intl.supportedValuesOf("timeZone")])];
}

function readDay(given: string | null): string | undefined {
  const isDay = given !== null && dayPattern.test(given) && !Number.isNaN(Date.parse(given));
  return isDay ? given : undefined;
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

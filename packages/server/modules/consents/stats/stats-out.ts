import { hrefOf, paths } from "@avow/contract/urls";
import type { Comparison } from "@avow/contract/significance";
import { type CsvDialectName, toCsvLine } from "../../../platform/text/csv.ts";
import { type Counts, addCounts, countNames, noCounts } from "./counts.ts";
import type { PublicationStatsOut, SitesStatsOut } from "./comparisons-schema.ts";
import type { PublicationStats, Window } from "./publication-stats.ts";
import type { SitesStats } from "./sites.ts";
import type { StatsOut } from "./schema.ts";
import type { Series, Stats } from "./stats.ts";

/** Statistics as the response. */
export function toStatsOut(stats: Stats, publicUrl: string): StatsOut {
  const { projectId, from, to, by, timeZone, group, until, starts } = stats;
  const query = { from: from.toISOString(), to: to.toISOString(), by, tz: timeZone };
  const hrefWith = (more: Record<string, string>) =>
    hrefOf(publicUrl, paths.stats, { projectId }, { ...query, ...more });
  const own: Record<string, string> = group ? { group } : {};
  return {
    projectId,
    from: query.from,
    to: query.to,
    by,
    timeZone,
    group,
    until: until?.toISOString() ?? null,
    starts: starts.map((start) => start.toISOString()),
    ...toSums(stats.series.flatMap(({ counts }) => counts)),
    series: stats.series.map(toSeriesOut),
    links: {
      self: hrefWith(own),
      csv: hrefWith({ ...own, format: "csv" }),
      project: hrefOf(publicUrl, paths.clientProject, { id: projectId }),
    },
  };
}

function toSeriesOut({ key, name, counts }: Series) {
  const numbersOf = (count: keyof Counts) => counts.map((one) => one[count]);
  return {
    key,
    name,
    ...toSums(counts),
    shown: numbersOf("shown"),
    accepted: numbersOf("accepted"),
    partly: numbersOf("partly"),
    refused: numbersOf("refused"),
    ignored: numbersOf("ignored"),
  };
}

/** Statistics around a publication as the response. */
export function toPublicationOut(
  { projectId, version, publishedAt, before, after, accepting, answering }: PublicationStats,
  publicUrl: string,
): PublicationStatsOut {
  const href = (query = {}) =>
    hrefOf(publicUrl, paths.publicationStats, { projectId, version: String(version) }, query);
  return {
    projectId,
    version,
    publishedAt: publishedAt.toISOString(),
    before: toWindowOut(before),
    after: toWindowOut(after),
    accepting: toComparisonOut(accepting),
    answering: toComparisonOut(answering),
    links: { self: href(), csv: href({ format: "csv" }) },
  };
}

function toWindowOut({ from, to, counts }: Window): PublicationStatsOut["before"] {
  return { from: from.toISOString(), to: to.toISOString(), ...toSums([counts]) };
}

function toComparisonOut(found: Comparison | null): PublicationStatsOut["accepting"] {
  if (!found) return null;
  const [from, to] = found.interval;
  return { ...found, interval: { from, to } };
}

/** Both windows as CSV: a line for each. */
export function toPublicationCsv({ before, after }: PublicationStats): string {
  const windows = Object.entries({ before, after });
  return [
    toCsvLine(["window", "from", "to", ...countNames]),
    ...windows.map(([name, { from, to, counts }]) =>
      toCsvLine([name, from.toISOString(), to.toISOString(), ...toCells(counts)]),
    ),
  ].join("");
}

/** A comparison of sites as the response. */
export function toSitesOut(
  { from, to, sites, isPartial }: SitesStats,
  publicUrl: string,
  query: Record<string, string>,
): SitesStatsOut {
  const hrefWith = (more = {}) => hrefOf(publicUrl, paths.siteStats, {}, { ...query, ...more });
  return {
    from: from.toISOString(),
    to: to.toISOString(),
    isPartial,
    sites: sites.map(({ projectId, title, counts, before }) => ({
      projectId,
      title,
      ...toSums([counts]),
      before: toSums([before]),
    })),
    links: { self: hrefWith(), csv: hrefWith({ format: "csv" }) },
  };
}

/** Sites as CSV: a line for each, with the counts of both periods. */
export function toSitesCsv({ sites }: SitesStats): string {
  const before = countNames.map((name) => `${name}Before`);
  return [
    toCsvLine(["projectId", "title", ...countNames, ...before]),
    ...sites.map((site) =>
      toCsvLine([site.projectId, site.title, ...toCells(site.counts), ...toCells(site.before)]),
    ),
  ].join("");
}

function toCells(counts: Counts): string[] {
  return countNames.map((name) => String(counts[name]));
}

function toSums(counts: readonly Counts[]): Pick<StatsOut, "totals" | "undisplayed"> {
  const { displayed, ...totals } = counts.reduce<Counts>(addCounts, { ...noCounts });
  const answered = totals.accepted + totals.partly + totals.refused;
  return { totals, undisplayed: Math.max(0, answered - displayed) };
}

/**
 * Statistics as CSV: a line for each day or hour of each series, in local time (`2026-01-31`,
 * `2026-01-31T14:00+01:00`).
 */
export function toStatsCsv(
  { starts, by, timeZone, group, series }: Stats,
  dialect: CsvDialectName | undefined,
): string {
  const toLine = (cells: (string | null)[]) => toCsvLine(cells, dialect);
  const names = starts.map((start) => nameOf(start, by, timeZone));
  const lines = series.flatMap(({ key, name, counts }) =>
    counts.map((one, at) =>
      toLine([
        names[at] ?? "",
        ...(group ? [key, ...(group === "configuration" ? [name] : [])] : []),
        ...countNames.map((count) => String(one[count])),
      ]),
    ),
  );
  const columns = group ? [group, ...(group === "configuration" ? ["name"] : [])] : [];
  return [toLine([by, ...columns, ...countNames]), ...lines].join("");
}

function nameOf(start: Date, by: Stats["by"], timeZone: string): string {
  const at = Temporal.Instant.fromEpochMilliseconds(start.getTime()).toZonedDateTimeISO(timeZone);
  if (by === "day") return at.toPlainDate().toString();
  return at.toString({ smallestUnit: "minute", timeZoneName: "never" });
}

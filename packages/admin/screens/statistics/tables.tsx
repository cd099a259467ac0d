import type { Statistics } from "@avow/client/operations";
import {
  toLanguageName,
  toNumber,
  toPercent,
  toRegionName,
  toStartName,
} from "../../browser/format.ts";
import { statisticsWords } from "../../words/statistics/words.ts";

export const countNames = ["shown", "accepted", "partly", "refused", "ignored"] as const;
export type CountName = (typeof countNames)[number];
/** The requested period: days of the time zone, both included. */
export interface StatisticsQuery {
  from: string;
  to: string;
  by: "day" | "hour";
  tz: string;
}

type Series = Statistics["series"][number];
type Counts = Statistics["totals"];

/** A period as one text, for the dependencies of a load. */
export function toPeriodKey({ from, to, by, tz }: StatisticsQuery): string {
  return [from, to, by, tz].join(" ");
}

/** The name of a series, by the group of the loaded numbers, which may differ from the selected group. */
export function toKeyName(
  group: Statistics["group"],
  { key, name }: Pick<Series, "key" | "name">,
): string {
  const texts = statisticsWords.value;
  if (key === null) return texts.others;
  if (group === "configuration") return name ?? key;
  if (key === "") return group === "step" ? texts.box : texts.unknown;
  if (group === "language") return toLanguageName(key);
  if (group === "region") return toRegionName(key);
  return group === "device" ? (texts.devices[key as keyof typeof texts.devices] ?? key) : key;
}

/** The numbers of a chart over time, newest first. */
export function TimeTable({ stats, series }: { stats: Statistics; series: Series }) {
  const texts = statisticsWords.value;
  const rows = stats.starts.map((start, at) => ({
    name: toStartName(start, stats),
    start,
    counts: toCountsAt(series, at),
  }));
  return (
    <div class="scrolled" tabIndex={0} role="region" aria-label={texts.overTime}>
      <table class="plain-table numbers">
        <Head first={texts.when} last={texts.rate} />
        <tbody>
          {rows.toReversed().map(({ name, start, counts }) => (
            <tr key={start}>
              <th scope="row">{name}</th>
              <Cells counts={counts} />
              <td class="end">{toRate(counts)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** The counts of the day or hour at an index. */
export function toCountsAt(series: Series, at: number): Counts {
  const of = (name: CountName): number => series[name][at] ?? 0;
  return {
    shown: of("shown"),
    accepted: of("accepted"),
    partly: of("partly"),
    refused: of("refused"),
    ignored: of("ignored"),
  };
}

/** The totals of each member of a group, with its acceptance rate. */
export function GroupTable({ stats }: { stats: Statistics }) {
  const texts = statisticsWords.value;
  const { group } = stats;
  const title = texts.groups[group ?? "label"];
  return (
    <div class="scrolled" tabIndex={0} role="region" aria-label={title}>
      <table class="plain-table numbers">
        <Head first={title} last={texts.rate} bars={texts.shares} />
        <tbody>
          {stats.series.map((one) => (
            <tr key={String(one.key)}>
              <th scope="row">{toKeyName(group, one)}</th>
              <Cells counts={one.totals} />
              <td class="end">{toRate(one.totals)}</td>
              <td>
                <Shares counts={one.totals} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Head({ first, last, bars }: { first: string; last?: string; bars?: string }) {
  const { counts } = statisticsWords.value;
  return (
    <thead>
      <tr>
        <th scope="col">{first}</th>
        {countNames.map((name) => (
          <th key={name} scope="col" class="end">
            {counts[name]}
          </th>
        ))}
        {last !== undefined && (
          <th scope="col" class="end">
            {last}
          </th>
        )}
        {bars !== undefined && <th scope="col">{bars}</th>}
      </tr>
    </thead>
  );
}

function Cells({ counts }: { counts: Counts }) {
  return (
    <>
      {countNames.map((name) => (
        <td key={name} class="end">
          {toCount(counts, name)}
        </td>
      ))}
    </>
  );
}

/** A count; a dash for displays and ignored if there were no displays. */
export function toCount(counts: Counts, name: CountName): string {
  const isOfDisplays = name === "shown" || name === "ignored";
  return isOfDisplays && counts.shown === 0 ? "–" : toNumber(counts[name]);
}

export function toAnswered({ accepted, partly, refused }: Answers): number {
  return accepted + partly + refused;
}

const answerNames = ["accepted", "partly", "refused"] as const;

/** A bar of the shares of answers, which repeats the numbers beside it. */
export function Shares({ counts }: { counts: Answers }) {
  return (
    <div class="shares" aria-hidden="true">
      {answerNames.map((name) => (
        <span
          key={name}
          class={`share count ${name}`}
          style={{ flexGrow: counts[name], flexBasis: 0 }}
        />
      ))}
    </div>
  );
}

/** The meanings of the colors of bars. */
export function SharesLegend({
  names = answerNames,
}: {
  names?: readonly (typeof answerNames)[number][];
}) {
  const { counts } = statisticsWords.value;
  return (
    <ul class="legend keys">
      {names.map((name) => (
        <li key={name}>
          <span class={`share count ${name}`} aria-hidden="true" />
          <span class="legend-name">{counts[name]}</span>
        </li>
      ))}
    </ul>
  );
}

type Answers = Pick<Counts, (typeof answerNames)[number]>;

/** The share of answers that accept all, between 0 and 1; null without answers. */
export function toShare(counts: Answers): number | null {
  const answered = toAnswered(counts);
  return answered === 0 ? null : counts.accepted / answered;
}

/** The same share as text. */
export function toRate(counts: Answers): string {
  const share = toShare(counts);
  return share === null ? "–" : toPercent(share, 1);
}

/** A link that downloads what is shown. */
export function CsvLink({ href, title }: { href: string; title: string }) {
  const texts = statisticsWords.value;
  return (
    <a class="button small" download href={href} aria-label={texts.csvOf(title)}>
      {texts.csv}
    </a>
  );
}

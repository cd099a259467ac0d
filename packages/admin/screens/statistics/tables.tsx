import type { Statistics } from "@avow/client/operations";
import { toLanguageName, toNumber, toPercent, toStartName } from "../../browser/format.ts";
import { statisticsWords } from "../../words/statistics/words.ts";

export const countNames = ["shown", "accepted", "partly", "refused", "ignored"] as const;
export type CountName = (typeof countNames)[number];
type Series = Statistics["series"][number];
type Counts = Statistics["totals"];

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
  return group === "device" ? (texts.devices[key as keyof typeof texts.devices] ?? key) : key;
}

/** The numbers of a chart over time, newest first. */
export function TimeTable({ stats, series }: { stats: Statistics; series: Series }) {
  const texts = statisticsWords.value;
  const rows = stats.starts.map((start, at) => ({
    name: toStartName(start, stats.by),
    start,
    counts: Object.fromEntries(countNames.map((one) => [one, series[one][at] ?? 0])),
  }));
  return (
    <div class="scrolled" tabIndex={0} role="region" aria-label={texts.overTime}>
      <table class="plain-table numbers">
        <Head first={texts.when} />
        <tbody>
          {rows.toReversed().map(({ name, start, counts }) => (
            <tr key={start}>
              <th scope="row">{name}</th>
              <Cells counts={counts as unknown as Counts} />
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** The totals of each member of a group, with its acceptance rate. */
export function GroupTable({ stats }: { stats: Statistics }) {
  const texts = statisticsWords.value;
  const { group } = stats;
  const title = texts.groups[group ?? "label"];
  return (
    <div class="scrolled" tabIndex={0} role="region" aria-label={title}>
      <table class="plain-table numbers">
        <Head first={title} last={texts.rate} />
        <tbody>
          {stats.series.map((one) => (
            <tr key={String(one.key)}>
              <th scope="row">{toKeyName(group, one)}</th>
              <Cells counts={one.totals} />
              <td class="end">{toRate(one.totals)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Head({ first, last }: { first: string; last?: string }) {
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

export function toAnswered({ accepted, partly, refused }: Counts): number {
  return accepted + partly + refused;
}

/** The share of answers that accept all. */
function toRate(counts: Counts): string {
  const answered = toAnswered(counts);
  if (answered === 0) return "–";
  return toPercent(counts.accepted / answered, 1);
}

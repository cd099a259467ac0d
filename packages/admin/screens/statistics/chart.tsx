import { useEffect, useRef, useState } from "preact/hooks";
import UPlot from "uplot";
import type { Statistics } from "@avow/client/operations";
import { toHour, toNumber, toPercent, toStartName } from "../../browser/format.ts";
import { statisticsWords } from "../../words/statistics/words.ts";
import { language } from "../../words/words.ts";
import type { CountName } from "./tables.tsx";

const HEIGHT = 240;
const AXIS_WIDTH = 56;
const FONT = "12px system-ui, sans-serif";
/** Dashes distinguish the lines without color. */
const dashes: Record<CountName, number[]> = {
  shown: [],
  accepted: [],
  partly: [8, 4],
  refused: [10, 3, 2, 3],
  ignored: [4, 4],
};
const HATCH_PX = 8;

interface Line {
  kind: CountName;
  name: string;
  /** Null where there is nothing to show. */
  values: readonly (number | null)[];
  /** The value of the whole period. */
  total: string;
}

interface ChartProps {
  /** The accessible name. */
  label: string;
  stats: Pick<Statistics, "starts" | "by" | "to" | "timeZone">;
  lines: readonly Line[];
  /** Counts, or shares between 0 and 1. */
  measure: "counts" | "shares";
}

/**
 * A line chart by uPlot. Its legend shows the totals, or the values at the pointer. The last day or hour is hatched until it
 * is over, because its numbers still grow.
 */
export function Chart({ label, stats, lines, measure }: ChartProps) {
  const place = useRef<HTMLDivElement>(null);
  const legend = useRef<HTMLUListElement>(null);
  const [at, setAt] = useState<number>();
  const isDark = useDark();
  const isOpen = stats.starts.length > 1 && Date.parse(stats.to) > Date.now();
  const texts = statisticsWords.value;
  useEffect(() => {
    const [box, list] = [place.current, legend.current];
    if (!box || !list) return undefined;
    // Reads the colors of the current scheme from the legend, because a canvas cannot use CSS variables.
    const colors = [...list.querySelectorAll(".count")].map((item) => getComputedStyle(item).color);
    const { color } = getComputedStyle(box);
    const chart = new UPlot(
      toOptions({
        stats,
        lines,
        measure,
        isOpen,
        colors,
        ink: color,
        width: box.clientWidth,
        onMove: setAt,
      }),
      [
        stats.starts.map((start) => Date.parse(start) / 1_000),
        ...lines.flatMap((line) => toValues(line, isOpen)),
      ],
      box,
    );
    const resized = new ResizeObserver(() =>
      chart.setSize({ width: box.clientWidth, height: HEIGHT }),
    );
    resized.observe(box);
    return () => {
      resized.disconnect();
      chart.destroy();
    };
  }, [stats, lines.map(({ name }) => name).join(), toValuesKey(lines), isDark, language.value]);
  const start = at === undefined ? undefined : stats.starts[at];
  return (
    <figure class="chart">
      <div ref={place} class="chart-place" role="img" aria-label={label} />
      <figcaption>
        <ul ref={legend} class="legend">
          {lines.map(({ kind, name, values, total }) => (
            <li key={name} class={`count ${kind}`}>
              <span class="swatch" aria-hidden="true" />
              <span class="legend-name">{name}</span>
              <strong>{at === undefined ? total : toText(values[at] ?? null, measure)}</strong>
            </li>
          ))}
          {isOpen && (
            <li class="unfinished">
              <span class="swatch" aria-hidden="true" />
              <span class="legend-name">{texts.unfinished[stats.by]}</span>
            </li>
          )}
        </ul>
        <span class="soft">{start === undefined ? "" : toStartName(start, stats)}</span>
      </figcaption>
    </figure>
  );
}

/** The values up to the last finished one, and those from there on. */
function toValues({ values }: Line, isOpen: boolean): (number | null)[][] {
  if (!isOpen) return [[...values]];
  const last = values.length - 1;
  return [
    values.map((value, at) => (at < last ? value : null)),
    values.map((value, at) => (at < last - 1 ? null : value)),
  ];
}

/** Changes if other values are shown. */
function toValuesKey(lines: readonly Line[]): string {
  return lines.map(({ kind, values }) => `${kind} ${values.join()}`).join();
}

function toText(value: number | null, measure: ChartProps["measure"]): string {
  if (value === null) return "–";
  return measure === "counts" ? toNumber(value) : toPercent(value, 1);
}

interface Drawing extends Pick<ChartProps, "stats" | "lines" | "measure"> {
  isOpen: boolean;
  colors: readonly string[];
  ink: string;
  width: number;
  onMove: (at: number | undefined) => void;
}

function toOptions(drawing: Drawing): UPlot.Options {
  const { stats, lines, measure, isOpen, colors, ink, width, onMove } = drawing;
  const isOfCounts = measure === "counts";
  const faint = ink.replace(/^rgb\((.*)\)$/, "rgba($1, 0.16)");
  const axis = { stroke: ink, font: FONT, ticks: { show: false } };
  const grid = { stroke: faint, width: 1 };
  const names = (_chart: UPlot, seconds: number[]): string[] =>
    seconds.map((one) => toAxisName(new Date(one * 1_000), stats));
  return {
    width,
    height: HEIGHT,
    legend: { show: false },
    tzDate: (seconds) => UPlot.tzDate(new Date(seconds * 1_000), stats.timeZone),
    cursor: { drag: { x: false, y: false }, y: false },
    // Leaves space for the label of the last point.
    padding: [null, 36, null, null],
    scales: {
      y: { range: (_chart, _low, high) => [0, isOfCounts ? Math.max(4, high * 1.08) : 1] },
    },
    axes: [
      { ...axis, grid: { show: false }, values: names, space: 84, size: 30 },
      {
        ...axis,
        grid,
        size: AXIS_WIDTH,
        values: (_chart, values) => values.map((one) => toAxisText(one, isOfCounts)),
      },
    ],
    series: [
      {},
      ...lines.flatMap(({ kind }, index) => {
        const line = {
          stroke: colors[index] ?? ink,
          points: { show: !isOfCounts || stats.starts.length < 3 },
        };
        const finished = { ...line, width: 2, dash: dashes[kind] };
        return isOpen ? [finished, { ...line, width: 1, dash: [1, 4] }] : [finished];
      }),
    ],
    hooks: {
      setCursor: [({ cursor }) => onMove(cursor.idx ?? undefined)],
      drawAxes: isOpen ? [(chart) => hatch(chart, faint)] : [],
    },
  };
}

function toAxisText(value: number, isOfCounts: boolean): string {
  if (!isOfCounts) return toPercent(value, 0);
  return value % 1 === 0 ? toNumber(value) : "";
}

/** Hatches the area between the last finished point and the unfinished one. */
function hatch(chart: UPlot, color: string): void {
  const {
    ctx,
    bbox,
    data: [times],
  } = chart;
  const [from, to] = [times.at(-2), times.at(-1)].map((at) => chart.valToPos(at ?? 0, "x", true));
  if (from === undefined || to === undefined) return;
  ctx.save();
  ctx.beginPath();
  ctx.rect(from, bbox.top, to - from, bbox.height);
  ctx.clip();
  ctx.beginPath();
  for (let x = from - bbox.height; x < to; x += HATCH_PX * devicePixelRatio) {
    ctx.moveTo(x, bbox.top + bbox.height);
    ctx.lineTo(x + bbox.height, bbox.top);
  }
  ctx.strokeStyle = color;
  ctx.lineWidth = devicePixelRatio;
  ctx.stroke();
  ctx.restore();
}

/** Hours are labelled by time, days by date; both together would overlap. */
function toAxisName(at: Date, stats: Pick<Statistics, "by" | "timeZone">): string {
  const { by, timeZone } = stats;
  const clock = { timeZone, timeStyle: "short", hourCycle: "h23" } as const;
  const isMidnight = new Intl.DateTimeFormat("en", clock).format(at) === "00:00";
  return by === "day" || isMidnight
    ? toStartName(at.toISOString(), { by: "day", timeZone })
    : toHour(at.toISOString(), timeZone);
}

/** Whether the color scheme is dark; follows changes. */
function useDark(): boolean {
  const [isDark, setDark] = useState(() => matchMedia("(prefers-color-scheme: dark)").matches);
  useEffect(() => {
    const query = matchMedia("(prefers-color-scheme: dark)");
    const follow = (): void => setDark(query.matches);
    query.addEventListener("change", follow);
    return () => query.removeEventListener("change", follow);
  }, []);
  return isDark;
}

const WIDTH = 96;
const HEIGHT = 24;
const PAD = 2;
/** Minimum range, so that small changes do not look steep. */
const RANGE_MIN = 0.1;

/**
 * A small line chart of values between 0 and 1, scaled from the minimum to the maximum. The text beside it has the
 * same information. Undefined values are gaps.
 */
export function Sparkline({ values }: { values: readonly (number | undefined)[] }) {
  const step = (WIDTH - 2 * PAD) / Math.max(1, values.length - 1);
  const { low, range } = toScale(values);
  const points = values.map((value, at) =>
    value === undefined
      ? undefined
      : ([PAD + at * step, HEIGHT - PAD - ((value - low) / range) * (HEIGHT - 2 * PAD)] as const),
  );
  const last = points.findLast((point) => point !== undefined);
  return (
    <svg class="sparkline" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true">
      <path d={toPath(points)} />
      {last && <circle cx={last[0]} cy={last[1]} r={2.5} />}
    </svg>
  );
}

/** The value at the bottom, and the range to the top. */
function toScale(values: readonly (number | undefined)[]): { low: number; range: number } {
  const known = values.filter((value) => value !== undefined);
  const [least, most] = [Math.min(...known), Math.max(...known)];
  const range = Math.max(RANGE_MIN, most - least);
  // Small ranges are centered.
  return { low: (least + most - range) / 2, range };
}

/** An SVG path through the points, with gaps. */
function toPath(points: readonly (readonly [number, number] | undefined)[]): string {
  return points
    .map((point, at) => {
      if (!point) return "";
      const [x, y] = point.map((one) => one.toFixed(1));
      return `${points[at - 1] ? "L" : "M"}${x} ${y}`;
    })
    .join("");
}

/** A number of cases, and of those with the compared outcome: displays and acceptances of a variant. */
export interface VariantCounts {
  shown: number;
  accepted: number;
}

/** The comparison of two acceptance rates. */
export interface Comparison {
  /** The rate of the second minus that of the first, from -1 to 1. */
  difference: number;
  /** 95 % confidence interval of the difference (Wald). */
  interval: readonly [from: number, to: number];
  /** Two-sided p-value of the two-proportion z-test with pooled variance. */
  p: number;
  /** Whether there are enough displays for the approximation by the normal distribution. */
  isEnough: boolean;
}

const Z_95 = 1.959_964;
/** Minimum of acceptances and of others in each variant, for the normal approximation. */
const EACH_MIN = 10;

/** Compares two variants; undefined while one of them was never displayed. */
export function compare(first: VariantCounts, second: VariantCounts): Comparison | undefined {
  if (first.shown === 0 || second.shown === 0) return undefined;
  const [a, b] = [first, second].map(({ shown, accepted }) => accepted / shown) as [number, number];
  const difference = b - a;
  const pooled = (first.accepted + second.accepted) / (first.shown + second.shown);
  const pooledError = Math.sqrt(pooled * (1 - pooled) * (1 / first.shown + 1 / second.shown));
  const error = Math.sqrt((a * (1 - a)) / first.shown + (b * (1 - b)) / second.shown);
  const isEnough = [first, second].every(
    ({ shown, accepted }) => accepted >= EACH_MIN && shown - accepted >= EACH_MIN,
  );
  return {
    difference,
    interval: [difference - Z_95 * error, difference + Z_95 * error],
    p: pooledError === 0 ? 1 : toPValue(Math.abs(difference) / pooledError),
    isEnough,
  };
}

/** The two-sided p-value of a z-score (Abramowitz and Stegun, 7.1.26; error below 1.5e-7). */
function toPValue(z: number): number {
  const x = z / Math.SQRT2;
  const t = 1 / (1 + 0.327_591_1 * x);
  const polynomial =
    t *
    (0.254_829_592 +
      t * (-0.284_496_736 + t * (1.421_413_741 + t * (-1.453_152_027 + t * 1.061_405_429))));
  return polynomial * Math.exp(-x * x);
}

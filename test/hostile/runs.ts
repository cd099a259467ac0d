import * as fc from "fast-check";

const RUNS = Number(process.env["HOSTILE_RUNS"] ?? 4);
/** Time limit of one property; its remaining runs are skipped. */
const TIME_MS_MAX = Number(process.env["HOSTILE_SECONDS"] ?? 20) * 1_000;
const seed = process.env["HOSTILE_SEED"];
/**
 * An operation gets one in three of the values of a matrix; a campaign, which sets HOSTILE_RUNS, sends all.
 */
const SHARE = process.env["HOSTILE_RUNS"] === undefined ? 3 : 1;

/**
 * Parameters of a property: `times` the runs of HOSTILE_RUNS. A failure prints its seed and path:
 * HOSTILE_SEED repeats it.
 */
export function runs<T>(times = 1): fc.Parameters<T> {
  return {
    numRuns: Math.max(1, Math.round(RUNS * times)),
    ...(seed === undefined ? {} : { seed: Number(seed) }),
    interruptAfterTimeLimit: TIME_MS_MAX,
    markInterruptAsFailure: false,
  };
}

/** The same with a fixed seed, for properties that are counted rather than searched. */
export function steadyRuns<T>(times = 1): fc.Parameters<T> {
  return { ...runs<T>(times), seed: Number(seed ?? 7) };
}

/** A deterministic value of an arbitrary. */
export function sampleOf<T>(arbitrary: fc.Arbitrary<T>, number = 1): T[] {
  return fc.sample(arbitrary, { numRuns: number, seed: Number(seed ?? 7) });
}

/** The share of the values for one operation: the next gets others, a campaign gets all. */
export function takeShare<T>(values: readonly T[], turn: number): T[] {
  return values.filter((_, n) => (n + turn) % SHARE === 0);
}

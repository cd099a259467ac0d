/** Pauses between the rounds of background work, in milliseconds. Tests hand in shorter ones. */
export interface Intervals {
  /** Between two looks at what waits for the transparency log. */
  logMs: number;
  /** Between two looks at what waits to be counted. */
  countsMs: number;
  /** Between two looks at whether witnesses and time-stamp authorities are to be asked. */
  anchorsMs: number;
}

export const usualIntervals: Intervals = { logMs: 500, countsMs: 1_000, anchorsMs: 500 };

/** Pauses of background work and margins between clocks, in milliseconds. Tests hand in shorter ones. */
export interface Intervals {
  /** Between two looks at what waits for the transparency log. */
  logMs: number;
  /** Between two looks at what waits to be counted. */
  countsMs: number;
  /** Between two looks at whether witnesses are to be asked. */
  witnessesMs: number;
  /** Between two looks at whether the time-stamp authority is to be asked. */
  timestampsMs: number;
  /**
   * How long before its transaction a consent's id may have been made: the wait for a place in a group,
   * and what the clocks of the nodes and of the database differ by.
   */
  collectingMs: number;
}

export const usualIntervals: Intervals = {
  logMs: 500,
  countsMs: 1_000,
  witnessesMs: 500,
  timestampsMs: 1_000,
  collectingMs: 2_000,
};

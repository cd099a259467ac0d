/** Polling intervals of background work, and a margin between clocks. Tests hand in shorter ones. */
export interface Intervals {
  /** Polling interval of the log's sequencer. */
  logMs: number;
  /** Polling interval of statistics. */
  countsMs: number;
  /** Polling interval of requests to witnesses. */
  witnessesMs: number;
  /** Polling interval of requests to the time-stamp authority. */
  timestampsMs: number;
  /**
   * Maximum age of a consent's id, by the database's clock, when its transaction has locked: older ones are created
   * again. Covers the work between both, and the difference between the clocks of the nodes and of the database.
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

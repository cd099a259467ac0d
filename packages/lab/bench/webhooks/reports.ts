/** Deliveries since the last report: their counts, and of healthy endpoints the time of the last and the latencies. */
export interface Report {
  counts: Record<string, number>;
  /** Came again with the `webhook-id` that they had before. */
  duplicates: number;
  /** A consent that came before, under another `webhook-id`. */
  renamed: number;
  /** A token's consent that came after a later one of it. */
  disordered: number;
  lastAtMs: number;
  delaysMs: number[];
}

/** The ids of consents by path, in the order in which they came first. */
export type Deliveries = Record<string, string[]>;

/** A report of nothing. */
export const newReport = (): Report => ({
  counts: {},
  duplicates: 0,
  renamed: 0,
  disordered: 0,
  lastAtMs: 0,
  delaysMs: [],
});

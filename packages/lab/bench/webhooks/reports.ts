/** Counts of deliveries since the last report; for healthy endpoints also the time of the last one, and the latencies. */
export interface Report {
  counts: Record<string, number>;
  /** Repeated deliveries with the same `webhook-id`. */
  duplicates: number;
  /** Repeated consents with another `webhook-id`. */
  renamed: number;
  /** Consents that arrived after a later one of the same token. */
  disordered: number;
  lastAtMs: number;
  delaysMs: number[];
}

/** The ids of consents by path, in the order of their first delivery. */
export type Deliveries = Record<string, string[]>;

/** An empty report. */
export const newReport = (): Report => ({
  counts: {},
  duplicates: 0,
  renamed: 0,
  disordered: 0,
  lastAtMs: 0,
  delaysMs: [],
});

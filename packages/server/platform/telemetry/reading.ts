/** A metric that is read at each scrape. */
export interface Reading {
  name: string;
  help: string;
  /** Default: gauge. */
  kind?: "gauge" | "counter";
  /** The label of a metric with several values. */
  label?: string;
  /**
   * The value of several worker processes. `one`: all have the same value, so only one is asked. Default: the sum of a
   * counter, and also of a gauge.
   */
  merge?: "sum" | "max" | "one";
  /** Undefined leaves the metric out; a map has a value for each value of the label. */
  read: () => ReadingValue | Promise<ReadingValue>;
}

export type ReadingValue = number | undefined | ReadonlyMap<string, number>;

/** From a worker to the run. */
export type WorkerMessage =
  | { type: "ready" }
  | { type: "start"; names: string[] }
  | { type: "result"; result: TestResult }
  /** All results of the file have been sent; the worker is idle again. */
  | { type: "end"; file: string; ms: number };

/** From the run to a worker. Without a file there is no more work. */
export interface FileMessage {
  file: string | undefined;
}

export interface TestResult {
  /** The names of the suites around the test and its own, outermost first. Empty where the file itself failed. */
  names: string[];
  outcome: "passed" | "failed" | "skipped";
  ms: number;
  /** The reason of a skip, where one was given. */
  reason?: string;
  /** The error with its stack, ready to print. */
  error?: string;
}

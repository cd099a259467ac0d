import type { CountedRequests } from "../queues/rate.ts";
import type { MetricValues } from "../telemetry/merged-metrics.ts";

/** The settings of a worker that its supervisor decides. */
export interface WorkerPlan {
  /** From 1 on. A replacement has the number of the worker that it replaces. */
  number: number;
  /** The number of workers. */
  count: number;
  /** Whether this worker also runs jobs, the log's sequencer and webhooks. */
  hasBackgroundWork: boolean;
  port: number;
  databaseUrl: string;
  /** Version of the supervisor; a worker of another one was installed in the meantime. */
  version: string;
  /** Start of the service. */
  startedAtMs: number;
}

export type ToWorker =
  | { kind: "plan"; plan: WorkerPlan }
  /** Another worker has taken over: finish what is open, then exit. */
  | { kind: "hand-over" }
  /** No process of the service accepts connections any more. */
  | { kind: "port-closed" }
  | { kind: "counted"; requests: readonly CountedRequests[] }
  | { kind: "read-metrics"; id: number }
  | { kind: "metrics"; id: number; values: readonly MetricValues[] };

export type ToSupervisor =
  | { kind: "serving"; address: string }
  /** The reason why this worker cannot start. */
  | { kind: "failed"; reason: string }
  | { kind: "port-closed" }
  | { kind: "counted"; requests: readonly CountedRequests[] }
  /** Asks for the metrics of the other processes. */
  | { kind: "collect-metrics"; id: number }
  | { kind: "metrics"; id: number; values: MetricValues };

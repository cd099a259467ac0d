import cluster from "node:cluster";
import type { CountedRequests, RateExchange } from "../queues/rate.ts";
import { StartError } from "../start-error.ts";
import { version } from "../version.ts";
import type { MetricValues } from "../telemetry/merged-metrics.ts";
import type { ToSupervisor, ToWorker, WorkerPlan } from "./messages.ts";

/** Time in which counted requests are collected before they are sent to the other workers. */
const PUBLISH_MS = 20;

/** A worker's connection to its supervisor, and through it to the other workers. */
export interface Peers extends RateExchange {
  plan: WorkerPlan;
  /** Fulfilled when another worker has taken over. */
  handOver: Promise<void>;
  announceServing(address: string): void;
  /** Resolves when the reason is sent, before which the process must not exit. */
  announceFailure(reason: string): Promise<void>;
  /** Announces that this process accepts no more connections; resolves when no process of the service does. */
  awaitPortClosed: () => Promise<void>;
  /** The metrics of the other processes; those that do not answer in time are missing. */
  collectMetrics(): Promise<readonly MetricValues[]>;
  /** Reads this process's metrics for another worker. */
  onMetricsRead(read: () => Promise<MetricValues>): void;
}

/** Throws StartError if another version of Avow was installed since the supervisor's start. */
export function assertSameVersion({ plan }: Pick<Peers, "plan">): void {
  if (plan.version === version) return;
  throw new StartError(
    `Avow ${version} was installed while ${plan.version} runs. Restart the service as a whole.`,
  );
}

/** Joins the supervisor that started this process; undefined in a process that was started by itself. */
export async function joinSupervisor(): Promise<Peers | undefined> {
  const { worker } = cluster;
  if (!worker) return undefined;
  // Otherwise the process would exit at once when its supervisor is killed.
  worker.once("disconnect", () => (worker.exitedAfterDisconnect = true));
  const handOver = Promise.withResolvers<void>();
  const planned = Promise.withResolvers<WorkerPlan>();
  const portClosed = Promise.withResolvers<void>();
  const collecting = new Map<number, (values: readonly MetricValues[]) => void>();
  const listeners: ((counted: CountedRequests) => void)[] = [];
  let readMetrics: () => Promise<MetricValues> = noMetrics;
  let lastId = 0;
  const send = (message: ToSupervisor): void => {
    if (worker.isConnected()) worker.send(message, undefined, () => undefined);
  };
  process.on("message", (message: ToWorker) => {
    switch (message.kind) {
      case "plan":
        return planned.resolve(message.plan);
      case "hand-over":
        return handOver.resolve();
      case "port-closed":
        return portClosed.resolve();
      case "counted":
        for (const counted of message.requests) for (const listener of listeners) listener(counted);
        return undefined;
      case "read-metrics":
        return void readMetrics()
          .catch(() => [])
          .then((values) => send({ kind: "metrics", id: message.id, values }));
      case "metrics":
        collecting.get(message.id)?.(message.values);
        collecting.delete(message.id);
        return undefined;
    }
  });
  process.once("disconnect", () => {
    portClosed.resolve();
    for (const resolve of collecting.values()) resolve([]);
  });
  return {
    plan: await planned.promise,
    handOver: handOver.promise,
    announceServing: (address) => send({ kind: "serving", address }),
    announceFailure: (reason) =>
      new Promise((resolve) => {
        if (!worker.isConnected()) return resolve();
        worker.send({ kind: "failed", reason }, undefined, () => resolve());
      }),
    awaitPortClosed() {
      send({ kind: "port-closed" });
      return portClosed.promise;
    },
    collectMetrics() {
      if (!worker.isConnected()) return Promise.resolve([]);
      const id = (lastId += 1);
      return new Promise((resolve) => {
        collecting.set(id, resolve);
        send({ kind: "collect-metrics", id });
      });
    },
    onMetricsRead(read) {
      readMetrics = read;
    },
    publishRequest: openPublisher((requests) => send({ kind: "counted", requests })),
    onRequests: (listener) => void listeners.push(listener),
  };
}

const noMetrics = () => Promise.resolve([]);

/** Sums requests for some milliseconds, since each message costs more than a count. */
function openPublisher(
  send: (requests: readonly CountedRequests[]) => void,
): RateExchange["publishRequest"] {
  const waiting = new Map<string, CountedRequests>();
  const flush = (): void => {
    send([...waiting.values()]);
    waiting.clear();
  };
  return (limit, name) => {
    const key = `${limit} ${name}`;
    const known = waiting.get(key);
    if (known) known.count += 1;
    else waiting.set(key, { limit, name, count: 1 });
    if (waiting.size === 1 && !known) setTimeout(flush, PUBLISH_MS);
  };
}

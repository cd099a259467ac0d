import cluster, { type Worker } from "node:cluster";
import { setTimeout as delay } from "node:timers/promises";
import type { FastifyBaseLogger } from "fastify";
import { StartError } from "../start-error.ts";
import type { MetricValues } from "../telemetry/merged-metrics.ts";
import type { ToSupervisor, ToWorker, WorkerPlan } from "./messages.ts";

/** Failed or short-lived replacements of a worker in a row, after which the service ends. */
const FAILURES_MAX = 10;
/** Uptime after which the count of failures is reset. */
const STEADY_MS = 60_000;
const DELAY_MS_MAX = 15_000;
/** Timeout of a worker that is asked for its metrics. */
const METRICS_MS = 2_500;

/** Worker processes on one port, each of which is replaced when it exits. */
export interface Supervisor {
  /**
   * Starts the workers; returns the address that they listen on.
   * @throws StartError with the reason of the worker that failed
   */
  start(): Promise<string>;
  /**
   * Replaces the workers one by one: each replacement serves before its predecessor is asked to finish. Stops at the first
   * replacement that fails, and keeps the workers that run.
   */
  restart(): Promise<void>;
  /** Stops all workers; whether all of them shut down in order. */
  stop(): Promise<boolean>;
  /** Resolves with the reason when a worker could not be replaced. */
  lost: Promise<Error>;
}

export interface SupervisorOptions {
  count: number;
  toPlan: (number: number) => WorkerPlan;
  /** Time that a worker has to stop, after which it is killed. */
  stopTimeoutMs: number;
  readOwnMetrics: () => Promise<MetricValues>;
  log: Pick<FastifyBaseLogger, "info" | "warn" | "error">;
  /** The backoff before a replacement, by the number of failures in a row. */
  toDelayMs?: (failures: number) => number;
}

interface Slot {
  number: number;
  worker: Worker | undefined;
  failures: number;
}

/** Opens the supervisor of this process, of which there is one. */
export function openSupervisor(options: SupervisorOptions): Supervisor {
  const { log, stopTimeoutMs, toDelayMs = toDefaultDelayMs } = options;
  // The workers accept from one queue of the kernel, which outlives each of them (docs/decisions/0007-staying-up.md).
  cluster.schedulingPolicy = cluster.SCHED_NONE;
  const slots = Array.from({ length: options.count }, (_, at): Slot => {
    return { number: at + 1, worker: undefined, failures: 0 };
  });
  const serving = new Set<Worker>();
  const messages = openMessages(serving, options.readOwnMetrics);
  const stopping = new AbortController();
  const lost = Promise.withResolvers<Error>();
  let isRestarting = false;

  /** Starts a worker; resolves when it serves. Throws if it exits before. */
  const startWorker = async ({ number }: Slot): Promise<{ worker: Worker; address: string }> => {
    stopping.signal.throwIfAborted();
    const worker = cluster.fork();
    const started = Promise.withResolvers<string>();
    let reason = `Worker ${number} exited before it served.`;
    worker.once("exit", () => {
      serving.delete(worker);
      messages.forget(worker);
      started.reject(new StartError(reason));
    });
    worker.on("message", (message: ToSupervisor) => {
      if (message.kind === "failed") reason = message.reason;
      else if (message.kind === "serving") {
        serving.add(worker);
        started.resolve(message.address);
      } else messages.handle(worker, message, stopping.signal.aborted);
    });
    send(worker, { kind: "plan", plan: options.toPlan(number) });
    return { worker, address: await started.promise };
  };

  const adopt = (slot: Slot, worker: Worker): void => {
    const since = performance.now();
    slot.worker = worker;
    log.info({ worker: slot.number, pid: worker.process.pid }, "worker started");
    worker.once("exit", (code, signal) => {
      if (stopping.signal.aborted || slot.worker !== worker) return;
      slot.worker = undefined;
      if (performance.now() - since > STEADY_MS) slot.failures = 0;
      log.error({ worker: slot.number, code, signal }, "worker exited, replacing");
      replace(slot).catch((error: unknown) => lost.resolve(toError(error)));
    });
  };

  /** Replaces a worker that exited; retries until one serves. Throws the last error after the maximum of failures. */
  const replace = async (slot: Slot): Promise<void> => {
    let failure = new StartError(`Worker ${slot.number} exits right after its start.`);
    while (slot.failures < FAILURES_MAX) {
      const { signal } = stopping;
      await delay(toDelayMs(slot.failures), undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      slot.failures += 1;
      try {
        adopt(slot, (await startWorker(slot)).worker);
        return;
      } catch (error) {
        if (signal.aborted) return;
        failure = toError(error);
        log.error({ err: error, worker: slot.number }, "worker replacement failed");
      }
    }
    throw failure;
  };

  /** Replaces a worker that runs. */
  const handOver = async (slot: Slot): Promise<void> => {
    const before = slot.worker;
    // Without one, the worker exited and is being replaced.
    if (!before) return;
    const { worker: next } = await startWorker(slot);
    if (slot.worker !== before) return void next.process.kill("SIGTERM");
    adopt(slot, next);
    send(before, { kind: "hand-over" });
    await awaitExit(before, stopTimeoutMs);
  };

  return {
    lost: lost.promise,
    async start() {
      const [first, ...others] = slots;
      if (!first) throw new Error("there are no workers");
      // Alone, since it creates queues, secrets and caches, which the others then find.
      const { worker, address } = await startWorker(first);
      adopt(first, worker);
      await Promise.all(others.map(async (slot) => adopt(slot, (await startWorker(slot)).worker)));
      return address;
    },
    async restart() {
      if (isRestarting || stopping.signal.aborted) return;
      isRestarting = true;
      try {
        log.info({ workers: slots.length }, "restarting workers one by one");
        for (const slot of slots) await handOver(slot);
        log.info({ workers: slots.length }, "workers restarted");
      } catch (error) {
        if (!stopping.signal.aborted)
          log.error({ err: error }, "restart cancelled, the other workers keep running");
      } finally {
        isRestarting = false;
      }
    },
    async stop() {
      stopping.abort();
      const workers = Object.values(cluster.workers ?? {}).filter((one) => one !== undefined);
      const ends = workers.map(async (worker) => {
        const isStarted = serving.has(worker);
        worker.process.kill("SIGTERM");
        const isClean = await awaitExit(worker, stopTimeoutMs);
        return isClean || !isStarted;
      });
      return (await Promise.all(ends)).every(Boolean);
    },
  };
}

/** Passes messages between workers. */
function openMessages(
  serving: ReadonlySet<Worker>,
  readOwnMetrics: SupervisorOptions["readOwnMetrics"],
) {
  const asked = new Map<string, (values: MetricValues) => void>();
  const closed = new WeakSet<Worker>();
  let lastId = 0;
  const readMetrics = (worker: Worker): Promise<MetricValues> => {
    const id = (lastId += 1);
    const key = `${worker.id} ${id}`;
    return new Promise((resolve) => {
      const timer = setTimeout(() => answer([]), METRICS_MS);
      const answer = (values: MetricValues): void => {
        clearTimeout(timer);
        asked.delete(key);
        resolve(values);
      };
      asked.set(key, answer);
      send(worker, { kind: "read-metrics", id });
    });
  };
  const announcePortClosed = (): void => {
    if ([...serving].every((one) => closed.has(one)))
      for (const one of serving) send(one, { kind: "port-closed" });
  };
  return {
    handle(
      worker: Worker,
      message: Exclude<ToSupervisor, { kind: "serving" | "failed" }>,
      isStopping: boolean,
    ): void {
      const others = [...serving].filter((one) => one !== worker);
      switch (message.kind) {
        case "port-closed":
          closed.add(worker);
          if (isStopping) announcePortClosed();
          // The others keep accepting connections.
          else send(worker, { kind: "port-closed" });
          return;
        case "counted":
          for (const other of others) send(other, message);
          return;
        case "collect-metrics":
          void Promise.all([readOwnMetrics(), ...others.map(readMetrics)]).then((values) =>
            send(worker, { kind: "metrics", id: message.id, values }),
          );
          return;
        case "metrics":
          asked.get(`${worker.id} ${message.id}`)?.(message.values);
      }
    },
    /** A worker that exited accepts nothing, and answers nothing. */
    forget(worker: Worker): void {
      announcePortClosed();
      for (const [key, answer] of asked) if (key.startsWith(`${worker.id} `)) answer([]);
    },
  };
}

function send(worker: Worker, message: ToWorker): void {
  // The callback takes the error of a worker that exits in between.
  if (worker.isConnected()) worker.send(message, undefined, () => undefined);
}

/** Waits for an exit, and kills the process after the timeout. Whether it exited with status 0. */
async function awaitExit(worker: Worker, timeoutMs: number): Promise<boolean> {
  const timer = setTimeout(() => worker.process.kill("SIGKILL"), timeoutMs);
  await new Promise<void>((resolve) => {
    if (worker.isDead()) resolve();
    else worker.once("exit", () => resolve());
  });
  clearTimeout(timer);
  return worker.process.exitCode === 0;
}

/** 0 s, 1 s, 2 s, 4 s and so on. */
function toDefaultDelayMs(failures: number): number {
  return failures === 0 ? 0 : Math.min(1_000 * 2 ** (failures - 1), DELAY_MS_MAX);
}

function toError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}

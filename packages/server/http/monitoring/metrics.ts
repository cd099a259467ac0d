import { timingSafeEqual } from "node:crypto";
import { type Aggregator, Counter, Gauge, Histogram, type Metric, Registry } from "prom-client";
import {
  collectProcessMetrics,
  mergeMetrics,
  readMetrics,
} from "../../platform/telemetry/merged-metrics.ts";
import type { Peers } from "../../platform/workers/worker.ts";
import type { Reading } from "../../platform/telemetry/reading.ts";
import { Fault } from "../../platform/errors.ts";
import { paths } from "@avow/contract/urls";
import type { Http } from "../http.ts";

interface MetricsOptions {
  /** The bearer token that is required, if any. */
  token: string | undefined;
  parts: readonly { readings: readonly Reading[] }[];
  /** The other processes of the service, whose metrics are merged. */
  peers?: Peers | undefined;
}

/** Registers `/metrics` in Prometheus' text format. Returns the metrics of this process. */
export function registerMetrics(http: Http, { token, parts, peers }: MetricsOptions): Registry {
  const registry = new Registry();
  for (const reading of parts.flatMap(({ readings }) => readings))
    registry.registerMetric(toMetric(reading));
  collectProcessMetrics(registry);
  const duration = new Histogram({
    name: "avow_http_request_duration_seconds",
    help: "Time to answer a request.",
    labelNames: ["method", "route", "status"],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [registry],
  });
  http.addHook("onResponse", (req, reply, done) => {
    const route = req.route.url ?? "none";
    duration.observe(
      { method: req.method, route, status: reply.statusCode },
      reply.elapsedTime / 1000,
    );
    done();
  });
  http.addHook("onClose", async () => registry.clear());
  peers?.onMetricsRead(() => readMetrics(registry, { ofWhole: false }));
  const metrics = {
    tags: ["service"],
    operationId: "getMetrics",
    summary: "Get metrics for Prometheus",
    description: "Requires the token of METRICS_TOKEN as a bearer token, if one is set.",
    security: [{}, { metrics: [] }],
  };
  const config = { streamed: ["text/plain"] };
  http.get(paths.metrics, { config, logLevel: "warn", schema: metrics }, async (req, reply) => {
    if (token !== undefined && !isToken(req.headers.authorization, token))
      throw new Fault("unauthenticated", "The metrics require the token of METRICS_TOKEN.");
    void reply.type(registry.contentType);
    if (!peers) return registry.metrics();
    const [own, others] = await Promise.all([
      readMetrics(registry, { ofWhole: true }),
      peers.collectMetrics(),
    ]);
    return mergeMetrics([own, ...others]).metrics();
  });
  return registry;
}

function toMetric({ name, help, kind = "gauge", label, merge, read }: Reading): Metric {
  const labelNames = label === undefined ? [] : [label];
  const aggregator: Aggregator = merge === "one" ? "first" : (merge ?? "sum");
  const shared = { name, help, labelNames, aggregator, registers: [] };
  const readAll = async (): Promise<[labels: Record<string, string>, value: number][]> => {
    const value = await read();
    if (typeof value === "number") return [[{}, value]];
    return [...(value ?? [])].map(([labelled, one]) => [{ [label ?? ""]: labelled }, one]);
  };
  if (kind === "counter")
    return new Counter({
      ...shared,
      async collect() {
        const values = await readAll();
        this.reset();
        for (const [labels, value] of values) this.inc(labels, value);
      },
    });
  return new Gauge({
    ...shared,
    async collect() {
      const values = await readAll();
      // Two scrapes at a time share the gauge, so nothing is awaited between its removal and its value.
      this.reset();
      if (label === undefined) this.remove();
      for (const [labels, value] of values) this.set(labels, value);
    },
  });
}

function isToken(header: string | undefined, token: string): boolean {
  const given = Buffer.from(header ?? "");
  const wanted = Buffer.from(`Bearer ${token}`);
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}

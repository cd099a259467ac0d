import {
  type Aggregator,
  AggregatorRegistry,
  type MetricObjectWithValues,
  type MetricValue,
  Registry,
  collectDefaultMetrics,
} from "prom-client";

const PREFIX = "avow_";

/** The metrics of one process with their values, as another process receives them. */
export type MetricValues = readonly MetricObjectWithValues<MetricValue<string>>[];

/** Adds the metrics of this process to a registry: processor time, memory, event loop. */
export function collectProcessMetrics(registry: Registry): void {
  collectDefaultMetrics({ register: registry, prefix: PREFIX });
}

/** Opens the metrics of a process that has no others. */
export function openProcessMetrics(): () => Promise<MetricValues> {
  const registry = new Registry();
  collectProcessMetrics(registry);
  return () => readMetrics(registry, { ofWhole: false });
}

/**
 * Reads the metrics of a registry. Those that are the same in all processes are left out unless `ofWhole` is set, so that
 * only one process queries the database for them.
 */
export async function readMetrics(
  registry: Registry,
  { ofWhole }: { ofWhole: boolean },
): Promise<MetricValues> {
  const wanted = registry
    .getMetricsAsArray()
    .filter(({ aggregator }) => ofWhole || aggregator !== "first")
    .flatMap(({ name }) => registry.getSingleMetric(name) ?? []);
  return Promise.all(wanted.map((metric) => metric.get()));
}

/** Merges the metrics of the processes of a service, the first of which was read as the whole. */
export function mergeMetrics(processes: readonly MetricValues[]): Registry {
  const named = processes.map((metrics) =>
    metrics.map((metric) => ({ ...metric, aggregator: toAggregator(metric) })),
  );
  return AggregatorRegistry.aggregate(named);
}

/** prom-client omits the time of the start and averages the lag of event loops, which would hide the slowest process. */
function toAggregator({ name, aggregator }: MetricValues[number]): Aggregator {
  if (name === `${PREFIX}process_start_time_seconds`) return "min";
  return name.includes("eventloop_lag") && aggregator === "average" ? "max" : aggregator;
}

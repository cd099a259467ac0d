import { ValueType } from "@opentelemetry/api";
import type { Resource } from "@opentelemetry/resources";
import {
  AggregationTemporality,
  type DataPoint,
  DataPointType,
  type Histogram,
  type MetricData,
  type MetricProducer,
} from "@opentelemetry/sdk-metrics";
import type { MetricObjectWithValues, MetricValue, Registry } from "prom-client";

type HrTime = [number, number];
type Metric = MetricObjectWithValues<MetricValue<string>>;
type Value = MetricValue<string> & { metricName?: string };

interface Times {
  startTime: HrTime;
  endTime: HrTime;
}

/**
 * Reads the metrics of `/metrics` for export over OTLP, so that both have the same names and values and each metric is
 * counted once.
 */
export function openRegistryProducer(
  registry: Registry,
  { name, version, resource }: { name: string; version: string; resource: Resource },
): MetricProducer {
  const startTime = toHrTime(Date.now());
  return {
    async collect() {
      const endTime = toHrTime(Date.now());
      const read = (await registry.getMetricsAsJSON()) as unknown as Metric[];
      const metrics = read.flatMap((metric) => toMetricData(metric, { startTime, endTime }));
      const scopeMetrics = [{ scope: { name, version }, metrics }];
      return { resourceMetrics: { resource, scopeMetrics }, errors: [] };
    },
  };
}

function toMetricData(metric: Metric, times: Times): MetricData[] {
  const { name, help: description, values } = metric;
  const type = String(metric.type);
  const descriptor = { name, description, unit: "", valueType: ValueType.DOUBLE };
  const aggregationTemporality = AggregationTemporality.CUMULATIVE;
  const base = { descriptor, aggregationTemporality };
  const dataPoints = values.map(({ labels, value }) => ({ ...times, attributes: labels, value }));
  if (dataPoints.length === 0) return [];
  if (type === "histogram")
    return [
      { ...base, dataPointType: DataPointType.HISTOGRAM, dataPoints: toHistograms(metric, times) },
    ];
  if (type === "counter")
    return [{ ...base, dataPointType: DataPointType.SUM, isMonotonic: true, dataPoints }];
  return [{ ...base, dataPointType: DataPointType.GAUGE, dataPoints }];
}

/** Prometheus' buckets are cumulative, those of OTLP are not. */
function toHistograms({ name, values }: Metric, times: Times): DataPoint<Histogram>[] {
  const series = Map.groupBy(values as Value[], ({ labels: { le: _le, ...labels } }) =>
    JSON.stringify(labels),
  );
  return [...series].map(([labels, own]) => {
    const find = (suffix: string) =>
      own.find(({ metricName }) => metricName === name + suffix)?.value ?? 0;
    const buckets = own.filter(({ metricName }) => metricName === `${name}_bucket`);
    const counts = buckets.map(({ value }, at) => value - (buckets[at - 1]?.value ?? 0));
    const boundaries = buckets.map(({ labels: { le } }) => Number(le)).filter(Number.isFinite);
    const value = { buckets: { boundaries, counts }, sum: find("_sum"), count: find("_count") };
    return { ...times, attributes: JSON.parse(labels) as Record<string, string>, value };
  });
}

function toHrTime(ms: number): HrTime {
  return [Math.floor(ms / 1_000), (ms % 1_000) * 1_000_000];
}

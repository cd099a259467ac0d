import type { Registry } from "prom-client";
import type { Tracing } from "./tracing.ts";

export const samplers = [
  "always_on",
  "always_off",
  "traceidratio",
  "parentbased_always_on",
  "parentbased_always_off",
  "parentbased_traceidratio",
] as const;

/** The endpoint of one signal. */
interface Export {
  readonly url: string;
  readonly timeoutMs: number;
}

/** Export of traces and metrics over OTLP/HTTP in JSON; a signal without an endpoint is off. */
export interface TelemetryConfig {
  readonly traces:
    | (Export & {
        readonly sampler: (typeof samplers)[number];
        readonly ratio: number;
        readonly queueMax: number;
        readonly delayMs: number;
      })
    | undefined;
  readonly metrics: (Export & { readonly intervalMs: number }) | undefined;
  /** Attributes of the resource, with `service.name`. */
  readonly resource: Readonly<Record<string, string>>;
}

export interface TelemetryOptions {
  config: TelemetryConfig;
  /** Headers of each request to the collector. */
  headers: Readonly<Record<string, string>>;
  /** Number of this worker process, part of its `service.instance.id`. */
  worker?: number | undefined;
  /** Called for the first export that fails after one that succeeded. */
  onError: (error: unknown) => void;
}

/** Disposal exports what is queued, within a time limit. */
export interface Telemetry extends AsyncDisposable {
  /** Undefined if traces are off. */
  tracing: Tracing | undefined;
  /** Exports the metrics of a registry at each interval, if metrics are on. */
  exportMetrics(registry: Registry): void;
}

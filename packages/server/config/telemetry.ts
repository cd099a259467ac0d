import { type TelemetryConfig, samplers } from "../platform/telemetry/telemetry.ts";
import { type Kind, convert, flag, integer, list, oneOf, text, webUrl } from "./kinds.ts";
import { type ValuesOf, setting } from "./schema.ts";

const PAIRS_MAX = 32;
/** Default address of a collector (OTLP specification). */
const LOCAL_ENDPOINT = "http://localhost:4318";

/** `name=value`, separated by commas, with percent-encoded values (OpenTelemetry specification). */
const pairs = (example: string): Kind<Readonly<Record<string, string>>> => {
  const pair: Kind<[name: string, value: string]> = {
    expected: `names and values such as ${example}`,
    parse(given) {
      const [, name, value = ""] = /^([\w./-]+)\s*=(.*)$/s.exec(given) ?? [];
      try {
        return name === undefined ? undefined : [name, decodeURIComponent(value.trim())];
      } catch {
        return undefined;
      }
    },
  };
  const all = list(pair, { countMax: PAIRS_MAX, allowsBlanks: false });
  return convert(all, (found) => Object.fromEntries(found));
};

const ratio: Kind<number> = convert(text("a ratio from 0 to 1", 20, /^\d(\.\d+)?$/), (value) =>
  Number(value) <= 1 ? Number(value) : undefined,
);

/** OpenTelemetry, under the names of its specification. */
export const telemetry = {
  OTEL_EXPORTER_OTLP_ENDPOINT: setting(webUrl, {
    defaultShown: "off, or port 4318 of this machine with an exporter",
    description:
      "Collector that receives traces and metrics over OTLP/HTTP, at /v1/traces and /v1/metrics below this address.",
  }),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: setting(webUrl, {
    defaultShown: "OTEL_EXPORTER_OTLP_ENDPOINT/v1/traces",
    description: "Address that receives traces, used as it is.",
  }),
  OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: setting(webUrl, {
    defaultShown: "OTEL_EXPORTER_OTLP_ENDPOINT/v1/metrics",
    description: "Address that receives metrics, used as it is.",
  }),
  OTEL_TRACES_EXPORTER: setting(oneOf(["otlp", "none"]), {
    defaultShown: "otlp with an endpoint, otherwise none",
    description: "Exporter of traces.",
  }),
  OTEL_METRICS_EXPORTER: setting(oneOf(["otlp", "none"]), {
    defaultShown: "otlp with an endpoint, otherwise none",
    description: "Exporter of the metrics of /metrics, under the same names.",
  }),
  OTEL_EXPORTER_OTLP_PROTOCOL: setting(oneOf(["http/json"]), {
    default: "http/json",
    description: "Encoding of the export, which each OTLP/HTTP receiver accepts.",
  }),
  OTEL_EXPORTER_OTLP_HEADERS: setting(pairs("authorization=Bearer%20…"), {
    path: "telemetryHeaders",
    description: "Headers of each export.",
    secret: true,
  }),
  OTEL_EXPORTER_OTLP_TIMEOUT: setting(integer(1, 600_000, "milliseconds"), {
    default: "10000",
    description: "Timeout of an export with its retries.",
  }),
  OTEL_TRACES_SAMPLER: setting(oneOf(samplers), {
    default: "parentbased_always_on",
    description: "Selection of the traces that are exported.",
  }),
  OTEL_TRACES_SAMPLER_ARG: setting(ratio, {
    default: "1",
    description: "Share of traces that the samplers with traceidratio select.",
  }),
  OTEL_PROPAGATORS: setting(oneOf(["tracecontext", "none"]), {
    path: "http.propagation",
    default: "none",
    description:
      "Continuation of a caller's trace: with tracecontext, the header traceparent of a proxy of TRUST_PROXY counts, and the proxy has to set or remove it.",
  }),
  OTEL_SERVICE_NAME: setting(text("a name of 1 to 255 characters", 255), {
    default: "avow",
    description: "Name of the service in traces and metrics.",
  }),
  OTEL_RESOURCE_ATTRIBUTES: setting(pairs("deployment.environment.name=production"), {
    description: "Further attributes of each trace and metric.",
  }),
  OTEL_BSP_MAX_QUEUE_SIZE: setting(integer(1, 1_000_000), {
    default: "2048",
    description: "Maximum number of spans waiting for their export; further ones are dropped.",
  }),
  OTEL_BSP_SCHEDULE_DELAY: setting(integer(1, 3_600_000, "milliseconds"), {
    default: "5000",
    description: "Interval of exports of traces.",
  }),
  OTEL_METRIC_EXPORT_INTERVAL: setting(integer(1_000, 3_600_000, "milliseconds"), {
    default: "60000",
    description: "Interval of exports of metrics.",
  }),
  OTEL_SDK_DISABLED: setting(flag("true", "false"), {
    default: "false",
    description: "Switch that turns traces and metrics off in spite of an endpoint.",
  }),
};

/** Traces and metrics: each is off unless an endpoint or its exporter is set. */
export function toTelemetryConfig(values: ValuesOf<typeof telemetry>): TelemetryConfig {
  const base = values.OTEL_EXPORTER_OTLP_ENDPOINT;
  const findUrl = (
    exporter: "otlp" | "none" | undefined,
    own: string | undefined,
    path: string,
  ): string | undefined => {
    const isOff = values.OTEL_SDK_DISABLED || exporter === "none";
    if (isOff || (exporter ?? own ?? base) === undefined) return undefined;
    return own ?? `${base ?? LOCAL_ENDPOINT}${path}`;
  };
  const traces = findUrl(
    values.OTEL_TRACES_EXPORTER,
    values.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT,
    "/v1/traces",
  );
  const metrics = findUrl(
    values.OTEL_METRICS_EXPORTER,
    values.OTEL_EXPORTER_OTLP_METRICS_ENDPOINT,
    "/v1/metrics",
  );
  const timeoutMs = values.OTEL_EXPORTER_OTLP_TIMEOUT;
  return {
    traces:
      traces === undefined
        ? undefined
        : {
            url: traces,
            timeoutMs,
            sampler: values.OTEL_TRACES_SAMPLER,
            ratio: values.OTEL_TRACES_SAMPLER_ARG,
            queueMax: values.OTEL_BSP_MAX_QUEUE_SIZE,
            delayMs: values.OTEL_BSP_SCHEDULE_DELAY,
          },
    metrics:
      metrics === undefined
        ? undefined
        : { url: metrics, timeoutMs, intervalMs: values.OTEL_METRIC_EXPORT_INTERVAL },
    resource: {
      ...values.OTEL_RESOURCE_ATTRIBUTES,
      "service.name": values.OTEL_SERVICE_NAME,
    },
  };
}

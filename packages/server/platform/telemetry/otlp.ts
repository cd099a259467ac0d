import { AsyncLocalStorage } from "node:async_hooks";
import { randomUUID } from "node:crypto";
import {
  type Attributes,
  type Link,
  type Span as OtlpSpan,
  ROOT_CONTEXT,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  type Tracer,
  isSpanContextValid,
  trace,
} from "@opentelemetry/api";
import { OTLPMetricExporter } from "@opentelemetry/exporter-metrics-otlp-http";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { resourceFromAttributes } from "@opentelemetry/resources";
import { MeterProvider, PeriodicExportingMetricReader } from "@opentelemetry/sdk-metrics";
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from "@opentelemetry/sdk-trace";
import { codeOf } from "../errors.ts";
import { version } from "../version.ts";
import { openRegistryProducer } from "./registry-producer.ts";
import type { Telemetry, TelemetryConfig, TelemetryOptions } from "./telemetry.ts";
import type { Span, SpanOptions, Tracing } from "./tracing.ts";

const SCOPE = "avow";
const INSTANCE_ID = "service.instance.id";
/** Longer than a group of consents. */
const LINKS_MAX = 256;
const BATCH_MAX = 512;
/** Timeout of the last export during a shutdown. */
const FLUSH_MS = 5_000;

/** Opens the SDK. The only module that loads it. */
export function openOtlp({ config, headers, worker, onError }: TelemetryOptions): Telemetry {
  const { traces, metrics } = config;
  const resource = resourceFromAttributes({
    "service.version": version,
    ...config.resource,
    [INSTANCE_ID]: toInstanceId(config.resource[INSTANCE_ID], worker),
  });
  const opened: { shutdown(): Promise<void> }[] = [];
  const openTraces = (settings: NonNullable<TelemetryConfig["traces"]>): Tracing => {
    const { url, timeoutMs: timeoutMillis, queueMax, delayMs } = settings;
    const exporter = new OTLPTraceExporter({ url, headers: { ...headers }, timeoutMillis });
    const provider = new TracerProvider({
      resource,
      sampler: toSampler(settings),
      spanLimits: { linkCountLimit: LINKS_MAX },
      spanProcessors: [
        new BatchSpanProcessor({
          exporter: reportFailures(exporter, onError),
          maxQueueSize: queueMax,
          maxExportBatchSize: Math.min(BATCH_MAX, queueMax),
          scheduledDelayMillis: delayMs,
        }),
      ],
    });
    opened.push(provider);
    return openTracing(provider.getTracer(SCOPE, version));
  };
  const tracing = traces && openTraces(traces);
  return {
    tracing,
    exportMetrics(registry) {
      if (!metrics) return;
      const { url, timeoutMs: timeoutMillis, intervalMs: exportIntervalMillis } = metrics;
      const exporter = new OTLPMetricExporter({ url, headers: { ...headers }, timeoutMillis });
      const reader = new PeriodicExportingMetricReader({
        exporter: reportFailures(exporter, onError),
        exportIntervalMillis,
        exportTimeoutMillis: Math.min(timeoutMillis, exportIntervalMillis),
        metricProducers: [openRegistryProducer(registry, { name: SCOPE, version, resource })],
      });
      opened.push(new MeterProvider({ resource, readers: [reader] }));
    },
    async [Symbol.asyncDispose]() {
      const closing = Promise.allSettled(opened.map((one) => one.shutdown()));
      const { promise: late, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, FLUSH_MS);
      await Promise.race([closing, late]);
      clearTimeout(timer);
    },
  };
}

/** Unique for each process, since each exports its own counters. */
function toInstanceId(given: string = randomUUID(), worker: number | undefined): string {
  return worker === undefined ? given : `${given}-${worker}`;
}

function openTracing(tracer: Tracer): Tracing {
  const active = new AsyncLocalStorage<Span>();
  /** The SDK's own spans, for parents in this process. */
  const inner = new WeakMap<Span, OtlpSpan>();
  const toParent = (causes: readonly string[] | undefined) => {
    const [cause] = causes ?? [];
    if (causes?.length === 1 && cause !== undefined) {
      const context = parseTraceparent(cause);
      return context ? trace.setSpanContext(ROOT_CONTEXT, context) : ROOT_CONTEXT;
    }
    const span = causes ? undefined : active.getStore();
    const own = span && inner.get(span);
    return own ? trace.setSpan(ROOT_CONTEXT, own) : ROOT_CONTEXT;
  };
  const startSpan = (name: string, options: SpanOptions = {}): Span => {
    const { kind = "internal", attributes = {}, causes, startedAt: startTime } = options;
    const links = causes && causes.length > 1 ? causes.flatMap(toLinks) : [];
    const span = tracer.startSpan(
      name,
      { kind: kinds[kind], attributes, links, ...(startTime ? { startTime } : {}) },
      toParent(causes),
    );
    const opened: Span = {
      traceparent: toTraceparent(span.spanContext()),
      setAttributes: (more) => void span.setAttributes(more),
      addLink: (traceparent) => void span.addLinks(toLinks(traceparent)),
      run: (work) => active.run(opened, work),
      end(error) {
        if (error !== undefined) {
          span.setStatus({ code: SpanStatusCode.ERROR });
          span.setAttributes(toErrorAttributes(error));
        }
        span.end();
      },
    };
    inner.set(opened, span);
    return opened;
  };
  return { startSpan, findActiveSpan: () => active.getStore() };
}

const kinds = {
  internal: SpanKind.INTERNAL,
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  consumer: SpanKind.CONSUMER,
} as const;

function toSampler({ sampler, ratio }: NonNullable<TelemetryConfig["traces"]>): Sampler {
  const root = sampler.endsWith("always_on")
    ? new AlwaysOnSampler()
    : sampler.endsWith("always_off")
      ? new AlwaysOffSampler()
      : new TraceIdRatioBasedSampler(ratio);
  return sampler.startsWith("parentbased_") ? new ParentBasedSampler({ root }) : root;
}

/** W3C Trace Context, version 00. */
const traceparentPattern = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;

function parseTraceparent(text: string): SpanContext | undefined {
  const [, traceId = "", spanId = "", flags = ""] = traceparentPattern.exec(text) ?? [];
  const traceFlags = Number.parseInt(flags, 16) & TraceFlags.SAMPLED;
  const context = { traceId, spanId, traceFlags, isRemote: true };
  return isSpanContextValid(context) ? context : undefined;
}

function toTraceparent({ traceId, spanId, traceFlags }: SpanContext): string | undefined {
  return (traceFlags & TraceFlags.SAMPLED) === 0 ? undefined : `00-${traceId}-${spanId}-01`;
}

function toLinks(traceparent: string): Link[] {
  const context = parseTraceparent(traceparent);
  return context ? [{ context }] : [];
}

function toErrorAttributes(error: unknown): Attributes {
  const type = error instanceof Error ? error.name : typeof error;
  const code = codeOf(error);
  return code === "" ? { "error.type": type } : { "error.type": type, "error.code": code };
}

interface Exporter<T> {
  export(items: T, done: (result: { code: number; error?: Error }) => void): void;
}

/** The same exporter, which reports the first failure of a row: the SDK itself would say nothing. */
function reportFailures<T, E extends Exporter<T>>(
  exporter: E & Exporter<T>,
  onError: (error: unknown) => void,
): E {
  let isFailing = false;
  const send = exporter.export.bind(exporter);
  exporter.export = (items, done) =>
    send(items, (result) => {
      const isFailure = result.code !== 0;
      if (isFailure && !isFailing) onError(result.error ?? new Error("The export failed."));
      isFailing = isFailure;
      done(result);
    });
  return exporter;
}

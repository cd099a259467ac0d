import type { IncomingHttpHeaders } from "node:http";
import { poll } from "../poll.ts";
import { openStandIn } from "./http.ts";

/** A received span, as OTLP/JSON names its fields. */
export interface ReceivedSpan {
  name: string;
  traceId: string;
  spanId: string;
  parentSpanId: string | undefined;
  kind: number;
  /** 2 is an error. */
  statusCode: number | undefined;
  attributes: Record<string, unknown>;
  links: { traceId: string; spanId: string }[];
  /** In nanoseconds since 1970. */
  startTime: bigint;
  endTime: bigint;
}

/** A point of a received metric; of a histogram, its count. */
interface ReceivedMetric {
  name: string;
  kind: "gauge" | "sum" | "histogram";
  points: { attributes: Record<string, unknown>; value: number }[];
}

/** A collector of traces and metrics over OTLP/HTTP in JSON. */
export interface Collector extends AsyncDisposable {
  url: string;
  spans: ReceivedSpan[];
  metrics: Map<string, ReceivedMetric>;
  /** The attributes of the last resource. */
  resource(): Record<string, unknown>;
  /** The headers and bodies of all exports. */
  requests: { path: string; headers: IncomingHttpHeaders; text: string }[];
  /** Returns the spans that match, once there are `count`. */
  waitForSpans(is: (span: ReceivedSpan) => boolean, count?: number): Promise<ReceivedSpan[]>;
}

type Value = Record<string, unknown> & { arrayValue?: { values: Value[] } };
interface Pair {
  key: string;
  value: Value;
}
interface SentSpan {
  name: string;
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  kind: number;
  status?: { code?: number };
  attributes?: Pair[];
  links?: { traceId: string; spanId: string }[];
  startTimeUnixNano: string;
  endTimeUnixNano: string;
}
interface SentPoint {
  attributes?: Pair[];
  asDouble?: number;
  asInt?: number | string;
  count?: number | string;
}
interface SentMetric {
  name: string;
  gauge?: { dataPoints: SentPoint[] };
  sum?: { dataPoints: SentPoint[] };
  histogram?: { dataPoints: SentPoint[] };
}
interface ExportBody {
  resourceSpans?: { resource: { attributes: Pair[] }; scopeSpans: { spans: SentSpan[] }[] }[];
  resourceMetrics?: {
    resource: { attributes: Pair[] };
    scopeMetrics: { metrics: SentMetric[] }[];
  }[];
}

const WAIT_MS_MAX = 20_000;

/** Opens a collector on a free port of the loopback address, which answers once it is `ready`. */
export async function openOtlpCollector(
  ready: Promise<void> = Promise.resolve(),
): Promise<Collector> {
  const spans: ReceivedSpan[] = [];
  const metrics = new Map<string, ReceivedMetric>();
  const requests: Collector["requests"] = [];
  let resource: Record<string, unknown> = {};
  const read = (sent: ExportBody): void => {
    for (const one of sent.resourceSpans ?? []) {
      resource = toObject(one.resource.attributes);
      spans.push(...one.scopeSpans.flatMap((scope) => scope.spans.map(toSpan)));
    }
    for (const one of sent.resourceMetrics ?? []) {
      resource = toObject(one.resource.attributes);
      for (const metric of one.scopeMetrics.flatMap((scope) => scope.metrics))
        metrics.set(metric.name, toMetric(metric));
    }
  };
  const standIn = await openStandIn((req, res) => {
    const chunks: Buffer[] = [];
    req.on("data", (chunk: Buffer) => chunks.push(chunk));
    req.on("end", () => {
      const text = Buffer.concat(chunks).toString();
      requests.push({ path: req.url ?? "", headers: req.headers, text });
      read(JSON.parse(text) as ExportBody);
      void ready.then(() => res.writeHead(200, { "content-type": "application/json" }).end("{}"));
    });
  });
  return {
    ...standIn,
    spans,
    metrics,
    requests,
    resource: () => resource,
    waitForSpans: (is, count = 1) =>
      poll({
        read: () => spans.filter(is),
        isRight: (found) => found.length >= count,
        waitMs: WAIT_MS_MAX,
        toMessage: (found) =>
          `${found.length} spans instead of ${count} among ${spans.map(({ name }) => name).join(", ")}`,
      }),
  };
}

function toSpan(sent: SentSpan): ReceivedSpan {
  const { name, traceId, spanId, kind, status, attributes = [], links = [] } = sent;
  return {
    name,
    traceId,
    spanId,
    // Some exporters send an empty one for a root.
    parentSpanId: sent.parentSpanId || undefined,
    kind,
    statusCode: status?.code,
    attributes: toObject(attributes),
    links: links.map((link) => ({ traceId: link.traceId, spanId: link.spanId })),
    startTime: BigInt(sent.startTimeUnixNano),
    endTime: BigInt(sent.endTimeUnixNano),
  };
}

function toMetric({ name, gauge, sum, histogram }: SentMetric): ReceivedMetric {
  const kind = gauge ? "gauge" : sum ? "sum" : "histogram";
  const { dataPoints = [] } = gauge ?? sum ?? histogram ?? {};
  const points = dataPoints.map(({ attributes = [], asDouble, asInt, count }) => ({
    attributes: toObject(attributes),
    value: Number(asDouble ?? asInt ?? count),
  }));
  return { name, kind, points };
}

function toObject(pairs: readonly Pair[]): Record<string, unknown> {
  return Object.fromEntries(pairs.map(({ key, value }) => [key, Object.values(value)[0]]));
}

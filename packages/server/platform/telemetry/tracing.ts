/** Attributes of a span. They never hold a value of a person or a secret: patterns, counts and statuses only. */
type SpanAttributes = Readonly<Record<string, string | number | boolean>>;

export interface SpanOptions {
  kind?: "internal" | "server" | "client" | "consumer";
  attributes?: SpanAttributes;
  /**
   * The `traceparent` of the spans that led to this one: a single one is its parent, several are linked. Without the
   * list, the active span is the parent.
   */
  causes?: readonly string[];
  /** Default: now. */
  startedAt?: Date;
}

/** A part of a trace. */
export interface Span {
  /** W3C Trace Context of this span; undefined if it is not sampled. */
  readonly traceparent: string | undefined;
  setAttributes(attributes: SpanAttributes): void;
  /** Links to the span of a `traceparent`. */
  addLink(traceparent: string): void;
  /** Runs `work` with this span as the active one. */
  run<T>(work: () => T): T;
  /** Ends the span, as failed with an error. Only the error's type is kept: a message may contain values. */
  end(error?: unknown): void;
}

/** Creates spans. It is undefined while tracing is off, which then costs nothing. */
export interface Tracing {
  startSpan(name: string, options?: SpanOptions): Span;
  findActiveSpan(): Span | undefined;
}

/** Runs `work` in a span. Without tracing, or with an empty list of causes, it runs without one. */
export async function trace<T>(
  tracing: Tracing | undefined,
  name: string,
  options: SpanOptions,
  work: (span: Span | undefined) => Promise<T>,
): Promise<T> {
  if (!tracing || options.causes?.length === 0) return work(undefined);
  const span = tracing.startSpan(name, options);
  try {
    const result = await span.run(() => work(span));
    span.end();
    return result;
  } catch (error) {
    span.end(error);
    throw error;
  }
}

/** The same function, in a span of an outgoing call; unchanged without tracing. */
export function withClientSpan<A extends unknown[], R>(
  tracing: Tracing | undefined,
  name: string,
  call: (...args: A) => Promise<R>,
): (...args: A) => Promise<R> {
  if (!tracing) return call;
  return (...args) => trace(tracing, name, { kind: "client" }, () => call(...args));
}

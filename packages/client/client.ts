import type { Operation } from "./operations.ts";
import { Problem, toProblem } from "./problem.ts";
import { retry } from "./retry.ts";

const TIMEOUT_MS = 30_000;
const RETRIES = 2;
/** Idempotent methods (RFC 9110, section 9.2.2). */
const idempotentMethods = new Set(["GET", "HEAD", "PUT", "DELETE"]);

interface Input {
  path?: Record<string, string | number>;
  /** Filters of a list by fields of documents, that the OpenAPI document does not list; any of several values. */
  filter?: Record<string, string | readonly string[]>;
  query?: Record<string, string | number | boolean | undefined>;
  body?: unknown;
  /** The ETag of the version to change, sent as `If-Match`: the request fails with 412 if a newer version exists. */
  ifMatch?: string;
  /** Makes a POST safe to retry: the service answers a repeated key with its first answer. */
  idempotencyKey?: string;
}

type Extended<I> = I & Pick<Input, "filter" | "ifMatch" | "idempotencyKey">;

export interface CallOptions {
  signal?: AbortSignal;
  /** Further headers, such as the content type of a file. */
  headers?: Record<string, string>;
  /** Retries of an idempotent call, instead of the client's. */
  retries?: number;
  /** Whether a refusal is thrown without the client's `onRefusal`. */
  skipsRefusalHook?: boolean;
  /** Sends the request instead of `fetch`. */
  transport?: Transport;
}

/** Sends a request as `fetch` does, and fails as it does. */
export type Transport = (
  url: string,
  init: RequestInit & { headers: Headers },
) => Promise<Response>;

type InputOf<I> = I extends undefined ? undefined : Extended<I>;
type Arguments<I> = I extends undefined
  ? [input?: undefined, options?: CallOptions]
  : object extends I
    ? [input?: Extended<I>, options?: CallOptions]
    : [input: Extended<I>, options?: CallOptions];

export interface ClientOptions {
  /** Address of the service without a slash at its end; the path alone in a page of the service itself. */
  url: string;
  /** An access token or an API key. Without one, a browser sends the session cookie of the page. */
  token?: string | undefined;
  /** Headers of every request. */
  headers?: () => Record<string, string>;
  timeoutMs?: number;
  /** Retries of an idempotent call. */
  retries?: number;
  /**
   * Resolves a refusal (403), such as by a new sign-in; the call is repeated if it returns true. `sentAt` is when
   * the refused call was sent, by `performance.now()`.
   */
  onRefusal?: (problem: Problem, sentAt: number) => Promise<boolean>;
}

/** A response's body, and the headers that it came with. */
export interface Answer<O> {
  body: O;
  headers: Headers;
}

/** A page of a cursor-based list. */
interface Page<T> {
  items: readonly T[];
  links: { next?: string };
}

export interface Client {
  url: string;
  /** @throws Problem */
  send: <I, O>(operation: Operation<I, O>, ...args: Arguments<I>) => Promise<O>;
  /** As `send`, with the headers of the response. @throws Problem */
  sendWhole: <I, O>(operation: Operation<I, O>, ...args: Arguments<I>) => Promise<Answer<O>>;
  /**
   * Calls an operation whose request or response is a file: of any length, for as long as `signal` allows, and
   * without retries. @throws Problem
   */
  sendFile: <I, O>(
    operation: Operation<I, O>,
    input: InputOf<I>,
    options: CallOptions & { signal: AbortSignal },
  ) => Promise<Response>;
  /** All items of a list from its first page on; each page is fetched when its first item is needed. @throws Problem */
  items: <I, T>(operation: Operation<I, Page<T>>, ...args: Arguments<I>) => AsyncGenerator<T, void>;
  /** The address of an operation, for links and event streams. */
  toAddress: <I, O>(operation: Operation<I, O>, input?: InputOf<I>) => string;
  /** Reads a link of a response at this client's address: links may contain another host name of the service. */
  toLinked: <O>(link: string) => Operation<undefined, O>;
}

/** Makes a client of the service at `url`. */
export function createClient(options: ClientOptions): Client {
  const { url, token, timeoutMs = TIMEOUT_MS, retries = RETRIES, onRefusal } = options;

  const toAddress = ([, path]: readonly [string, string], input: Input = {}): string => {
    const filled = path.replace(/\{(\w+)\}/g, (_, name: string) =>
      encodeURIComponent(String(input.path?.[name])),
    );
    const query = Object.entries({ ...input.query, ...input.filter }).flatMap(([name, value]) =>
      [value ?? []].flat().map((one) => [name, String(one)]),
    );
    const search = new URLSearchParams(query).toString();
    return `${url}${filled}${search && `?${search}`}`;
  };

  const request = async <T>(
    operation: readonly [string, string],
    input: Input,
    {
      signal,
      headers: further = {},
      transport = fetch,
      read,
      isTimed,
    }: CallOptions & { read: (response: Response) => Promise<T> | T; isTimed: boolean },
  ): Promise<T> => {
    const headers = new Headers({ accept: "application/json", ...options.headers?.(), ...further });
    const body = toBody(input.body);
    if (typeof body === "string") headers.set("content-type", "application/json");
    if (input.ifMatch !== undefined) headers.set("if-match", input.ifMatch);
    if (input.idempotencyKey !== undefined) headers.set("idempotency-key", input.idempotencyKey);
    if (token !== undefined) headers.set("authorization", `Bearer ${token}`);
    const signals = [
      ...(signal ? [signal] : []),
      ...(isTimed ? [AbortSignal.timeout(timeoutMs)] : []),
    ];
    const init = {
      method: operation[0],
      headers,
      signal: AbortSignal.any(signals),
      ...(body === undefined ? {} : { body }),
      ...(body instanceof ReadableStream ? { duplex: "half" as const } : {}),
      // A token goes to the service alone.
      ...(token === undefined ? {} : { redirect: "error" as const }),
    };
    try {
      const response = await transport(toAddress(operation, input), init);
      if (!response.ok || isPending(operation, response)) throw await toProblem(response);
      return await read(response);
    } catch (error) {
      if (error instanceof Problem || error instanceof SyntaxError || isCancelled(signal))
        throw error;
      throw new Problem("offline", { cause: error });
    }
  };

  /** Sends a request, and repeats it once after `onRefusal` resolved a refusal. */
  const call = async <T>(
    operation: readonly [string, string],
    input: Input = {},
    asked: Parameters<typeof request<T>>[2],
  ): Promise<T> => {
    const isIdempotent = idempotentMethods.has(operation[0]) || input.idempotencyKey !== undefined;
    const attempt = (): Promise<T> =>
      retry(() => request(operation, input, asked), {
        retries: asked.isTimed && isIdempotent ? (asked.retries ?? retries) : 0,
        signal: asked.signal,
      });
    const sentAt = performance.now();
    try {
      return await attempt();
    } catch (error) {
      const isRefusal = error instanceof Problem && error.status === 403;
      if (!isRefusal || !onRefusal || asked.skipsRefusalHook === true) throw error;
      if (!(await onRefusal(error, sentAt))) throw error;
      return attempt();
    }
  };

  const sendWhole: Client["sendWhole"] = <I, O>(
    operation: Operation<I, O>,
    ...[input, asked]: Arguments<I>
  ) => call<Answer<O>>(operation, input, { ...asked, read: readJson, isTimed: true });

  const send: Client["send"] = async (operation, ...args) =>
    (await sendWhole(operation, ...args)).body;

  const toLinked = <O>(link: string): Operation<undefined, O> => {
    const { pathname, search } = new URL(link, "http://service.invalid");
    const base = url.replace(/^https?:\/\/[^/]*/, "");
    const path = pathname.startsWith(`${base}/`) ? pathname.slice(base.length) : pathname;
    return ["GET", path + search];
  };

  return {
    url,
    send,
    sendWhole,
    sendFile: (operation, input, asked) =>
      call(operation, input, { ...asked, read: (response) => response, isTimed: false }),
    async *items<I, T>(operation: Operation<I, Page<T>>, ...args: Arguments<I>) {
      const [, asked] = args;
      let page = await send(operation, ...args);
      for (;;) {
        yield* page.items;
        if (page.links.next === undefined) return;
        page = await send(toLinked<Page<T>>(page.links.next), undefined, asked);
      }
    },
    toAddress,
    toLinked,
  };
}

/** Whether the response only states that what was requested is still being made. A 202 to a write is its result. */
function isPending([method]: readonly [string, string], { status }: Response): boolean {
  return method === "GET" && status === 202;
}

/** Whether the caller aborted. A timeout counts as an unreachable service. */
function isCancelled(signal: AbortSignal | undefined): boolean {
  if (!signal?.aborted) return false;
  const reason: unknown = signal.reason;
  return !(reason instanceof DOMException && reason.name === "TimeoutError");
}

async function readJson<O>(response: Response): Promise<Answer<O>> {
  const text = await response.text();
  return { body: (text === "" ? null : JSON.parse(text)) as O, headers: response.headers };
}

/** Files as they are, anything else as JSON. */
function toBody(body: unknown): NonNullable<RequestInit["body"]> | undefined {
  if (body === undefined) return undefined;
  if (body instanceof Blob || body instanceof FormData || body instanceof ReadableStream)
    return body;
  return JSON.stringify(body);
}

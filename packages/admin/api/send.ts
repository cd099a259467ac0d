import { base } from "../base.ts";
import { language } from "../words/words.ts";
import type { Operation, Problem as ProblemBody } from "./interface.ts";
import { Problem } from "./problem.ts";
import { upload } from "./upload.ts";

const TIMEOUT_MS = 30_000;

interface Parts {
  path?: Record<string, string | number>;
  /** What a list is filtered by: fields of documents, which the interface does not name one by one. */
  filter?: Record<string, string>;
  query?: Record<string, string | number | boolean | undefined>;
  body?: unknown;
  /** The version that is to be changed, by its ETag: where there is a newer one, nothing is (412). */
  ifMatch?: string;
}
type Filtered<G> = G & Pick<Parts, "filter" | "ifMatch">;
type Given<G> = G extends undefined
  ? []
  : object extends G
    ? [given?: Filtered<G>]
    : [given: Filtered<G>];

/**
 * Why a call is refused that whoever is signed in can mend: the session has ended, or is too old for what changes how
 * one signs in.
 */
type Mendable = "unauthenticated" | "confirmation-needed";
/**
 * Asks the person to sign in or to confirm: true where they did, as the same user. `sentAt` is when the refused call
 * was sent, by `performance.now()`: one from before the last sign-in is only repeated.
 */
export type Ask = (sentAt: number) => Promise<boolean>;
const asks = new Map<string, Ask>();

/** Says who is asked where calls are refused; undefined: nobody. */
export function onRefusal(kind: Mendable, mend: Ask | undefined): void {
  if (mend) asks.set(kind, mend);
  else asks.delete(kind);
}

/** What an operation answers, and the headers that it came with. */
export interface Answer<A> {
  body: A;
  headers: Headers;
}

/** Calls an operation without asking anybody to sign in again. @throws Problem */
export async function sendUnasked<A>(operation: Operation<undefined, A>): Promise<A> {
  const answer = await request(operation, undefined);
  if (!answer.ok) throw await toProblem(answer);
  return JSON.parse(await readText(answer)) as A;
}

/** Calls an operation as whoever is signed in. @throws Problem */
export async function send<G, A>(operation: Operation<G, A>, ...given: Given<G>): Promise<A> {
  return (await sendWhole(operation, ...given)).body;
}

/**
 * Calls an operation; answers its headers too. Where the session has ended, or is too old for it, somebody signs in
 * again, or shows that it is they, before it is called once more, so that nothing that was typed is lost. @throws Problem
 */
export async function sendWhole<G, A>(
  operation: Operation<G, A>,
  ...[given]: Given<G>
): Promise<Answer<A>> {
  const answer = await ask(operation, given);
  const text = await readText(answer);
  return { body: (text === "" ? null : JSON.parse(text)) as A, headers: answer.headers };
}

/** What an answer is asked as, and for how long. */
interface Asking {
  accept: string;
  /** Ends it; without one it ends after a while. */
  signal: AbortSignal;
  /** Told how much of a file is sent, 0 to 1. */
  onSent: (share: number) => void;
}

/** Calls an operation whose answer, or what it takes, is a file: of any length, for as long as it takes. @throws Problem */
export function sendFile<G, A>(
  operation: Operation<G, A>,
  given: Filtered<G>,
  asking: Partial<Asking> & Pick<Asking, "signal">,
): Promise<Response> {
  return ask(operation, given, asking);
}

/** Calls an operation, once more where somebody had to sign in again for it, or to show that it is they. */
async function ask(
  operation: readonly [string, string],
  given: Parts | undefined,
  asking?: Partial<Asking>,
): Promise<Response> {
  const sentAt = performance.now();
  const first = await request(operation, given, asking);
  const mend = first.status === 403 ? asks.get((await toProblem(first.clone())).kind) : undefined;
  const answer = mend && (await mend(sentAt)) ? await request(operation, given, asking) : first;
  if (!answer.ok) throw await toProblem(answer);
  return answer;
}

/** The address of an operation, for links and streams. */
export function toAddress([, path]: readonly [string, string], given: Parts = {}): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(given.path?.[name])),
  );
  const query = Object.entries({ ...given.query, ...given.filter }).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  );
  const search = new URLSearchParams(query).toString();
  return `${base}${filled}${search && `?${search}`}`;
}

async function request(
  operation: readonly [string, string],
  given: Parts | undefined,
  { accept = "application/json", signal, onSent }: Partial<Asking> = {},
): Promise<Response> {
  const headers = new Headers({ accept, "accept-language": language.value });
  const body = toBody(given?.body);
  if (typeof body === "string") headers.set("content-type", "application/json");
  if (given?.ifMatch !== undefined) headers.set("if-match", given.ifMatch);
  const [method] = operation;
  const url = toAddress(operation, given);
  try {
    if (onSent && body instanceof FormData)
      return await upload({ method, url, headers, body, signal, onSent });
    return await fetch(url, {
      method,
      headers,
      ...(body === undefined ? {} : { body }),
      signal: signal ?? AbortSignal.timeout(TIMEOUT_MS),
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new Problem("offline", { cause: error });
  }
}

/** The whole of an answer. One that is cut off on its way is the network's fault, not the service's or the app's. */
async function readText(answer: Response): Promise<string> {
  try {
    return await answer.text();
  } catch (error) {
    throw new Problem("offline", { cause: error });
  }
}

/** Files as they are, anything else as JSON. */
function toBody(body: unknown): BodyInit | undefined {
  if (body === undefined || body instanceof Blob || body instanceof FormData) return body;
  return JSON.stringify(body);
}

async function toProblem(answer: Response): Promise<Problem> {
  const requestId = answer.headers.get("x-request-id") ?? undefined;
  const retryAfter = Number(answer.headers.get("retry-after") ?? Number.NaN);
  if (!/json/.test(answer.headers.get("content-type") ?? ""))
    return new Problem("internal", { status: answer.status, requestId });
  const { type, status, detail, errors } = JSON.parse(await readText(answer)) as ProblemBody;
  const kind = type.slice(type.lastIndexOf("/") + 1);
  return new Problem(kind, { status, detail, errors, requestId, retryAfter });
}

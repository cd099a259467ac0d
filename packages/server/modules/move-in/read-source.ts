import type { FastifyBaseLogger } from "fastify";
import type { Static } from "typebox";
import {
  FetchError,
  type FetchedSource,
  type Resolve,
  fetchSource,
} from "@avow/move-in/fetch-source";
import { toUnknownMessage } from "@avow/move-in/recognize";
import { type Actor, toActorName } from "../../kernel/actor.ts";
import { Fault } from "../../platform/errors.ts";
import { openFairQueue } from "../../platform/queues/fair-queue.ts";
import type { OpenRate } from "../../platform/queues/rate.ts";
import { openRecognizer } from "./recognizer.ts";
import type { MoveInFilesOut } from "./schema.ts";

const MIB = 1_024 * 1_024;
export const limits = {
  filesMax: 40,
  fileBytesMax: 4 * MIB,
  totalBytesMax: 12 * MIB,
  requestTimeoutMs: 10_000,
  totalTimeoutMs: 30_000,
};
/** Requests of one user in a minute, and at once. */
export const PER_MINUTE_MAX = 10;
const USER_MAX = 1;
/** Requests at once on a node. */
const CAPACITY = 2;
const WAITERS_MAX = 16;
const WAIT_MS_MAX = 20_000;
const RETRY_SECONDS = 60;
const FAILED_MAX = 200;

/** Reads the public files of a site's consent product. */
export interface SourceReader extends Disposable {
  /**
   * Fetches an address and the files of consent products that it names. Returns nothing else of the site.
   * @throws Fault forbidden (a key of one project), too-many, busy; impossible if the address cannot be fetched or has
   * no configuration that is recognized
   */
  read(
    actor: Actor,
    request: { url: string; signal: AbortSignal },
  ): Promise<Static<typeof MoveInFilesOut>>;
}

/** Opens the reader. Disposing of it ends all reads. */
export function openSourceReader({
  resolve,
  openRate,
  log,
}: {
  resolve: Resolve;
  openRate: OpenRate;
  log: Pick<FastifyBaseLogger, "warn">;
}): SourceReader {
  const rate = openRate("move-in files", PER_MINUTE_MAX);
  const queue = openFairQueue({
    capacity: CAPACITY,
    waitersMax: WAITERS_MAX,
    waitMsMax: WAIT_MS_MAX,
    toFault,
  });
  const stopping = new AbortController();
  return {
    async read(actor, { url, signal }) {
      if (actor.kind === "user" && actor.projectId !== undefined)
        throw new Fault("forbidden", "A key of one project creates no other project.");
      const address = toAddress(url);
      const user = toActorName(actor);
      if (!rate.take(user))
        throw new Fault(
          "too-many",
          `At most ${PER_MINUTE_MAX} addresses are read in a minute. Retry in ${RETRY_SECONDS} seconds.`,
          { retryAfterSeconds: RETRY_SECONDS },
        );
      const ending = AbortSignal.any([signal, stopping.signal]);
      const entry = { keys: [user], keyMax: USER_MAX, signal: ending };
      return queue.run(entry, () => readSource(address, { resolve, ending, log }));
    },
    [Symbol.dispose]() {
      stopping.abort();
      queue[Symbol.dispose]();
    },
  };
}

function toAddress(url: string): URL {
  const address = URL.parse(url);
  if (address) return address;
  const message = "must be an http or https address";
  throw new Fault("invalid", `/url: ${message}`, { faults: [{ path: "/url", message }] });
}

async function readSource(
  address: URL,
  {
    resolve,
    ending,
    log,
  }: { resolve: Resolve; ending: AbortSignal; log: Pick<FastifyBaseLogger, "warn"> },
): Promise<Static<typeof MoveInFilesOut>> {
  const signal = AbortSignal.any([ending, AbortSignal.timeout(limits.totalTimeoutMs)]);
  await using recognizer = openRecognizer(signal, log);
  const { recognize } = recognizer;
  const { files, failed } = await fetchWithFaults(address, {
    resolve,
    signal: ending,
    limits,
    recognize,
  });
  if (!files.some(({ recognized }) => recognized.hasConfiguration))
    throw new Fault("impossible", toNothingFound(files, failed));
  return {
    files: files.flatMap(({ recognized }) => recognized.own ?? []),
    failed: failed.slice(0, FAILED_MAX),
  };
}

async function fetchWithFaults(...given: Parameters<typeof fetchSource>): Promise<FetchedSource> {
  try {
    return await fetchSource(...given);
  } catch (error) {
    if (error instanceof FetchError) throw new Fault("impossible", error.message);
    // The client has gone, or the service stops.
    throw toFault("busy");
  }
}

function toNothingFound(files: FetchedSource["files"], failed: FetchedSource["failed"]): string {
  const mentioned = files.find(({ recognized }) => recognized.mentioned)?.recognized.mentioned;
  const [first] = failed;
  const reason = first === undefined ? "" : ` ${first.name}: ${first.reason}`;
  return `${toUnknownMessage(mentioned)}${reason}`;
}

function toFault(kind: "too-many" | "busy"): Fault {
  const detail =
    kind === "busy"
      ? "Too many addresses are being read. Retry in a minute."
      : "Another address is being read for you. Wait for it, then retry.";
  return new Fault(kind, detail, { retryAfterSeconds: kind === "busy" ? RETRY_SECONDS : 2 });
}

import type { ConsentOut } from "@avow/contract/consents";
import { request } from "./request.ts";

/** A consent on its way: what the service's batch route takes (wire section 4). */
export interface Entry {
  /** Made here, so that sending it again adds nothing; in the order of time. */
  id: string;
  /** The batch route of the project. */
  url: string;
  body: object;
}

/** What became of an entry: the service's consent, or that it is kept here and sent later. */
export type Sent = { consent: Answered } | "kept";

/** A consent, or the problem (RFC 9457) that kept it back. */
type Answered = Partial<ConsentOut> & { detail?: unknown };

const STORE = "outbox";
const AGAIN_MS = 20_000;
const ENTRIES_MAX = 100;
/** A body sent with `keepalive` is 64 KiB at most (Fetch, HTTP-network-or-cache fetch). */
const KEEPALIVE_LENGTH_MAX = 30_000;

/**
 * Sends consents, each exactly once and in their order: each is on its way at once, and kept in IndexedDB
 * until the service has answered it. What could not be sent is sent again when the network is back, or on
 * a later page.
 */
export interface Outbox {
  /**
   * Sends an entry, with what is still to come of it, should the page stay that long.
   * @throws Error for what the service refuses, and for what can be neither sent nor kept
   */
  send(entry: Entry, coming?: Promise<unknown>): Promise<Sent>;
  /** Sends what earlier pages could not. */
  flush: () => Promise<void>;
}

/** Opens the queue of what is to be sent to `url`. */
export function openOutbox(url: string): Outbox {
  /** What is neither answered nor on its way, oldest first. */
  let waiting: Entry[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  const loading = inStore((store) => store.getAll(undefined, ENTRIES_MAX)).then(
    (kept: Entry[]) => (waiting = [...kept.filter((entry) => entry.url === url), ...waiting]),
    () => undefined,
  );
  const deliver = async (): Promise<Map<string, Answered>> => {
    const entries = waiting;
    waiting = [];
    const answers = await post(url, entries).catch(() => new Map<string, Answered>());
    waiting = [...entries.filter(({ id }) => !answers.has(id)), ...waiting];
    for (const id of answers.keys()) inStore((store) => store.delete(id)).catch(() => undefined);
    clearTimeout(timer);
    if (waiting.length) timer = setTimeout(flush, AGAIN_MS);
    return answers;
  };
  const flush = async (): Promise<void> => {
    await loading;
    if (waiting.length) await deliver();
  };
  addEventListener("online", () => void flush());
  return {
    flush,
    async send(entry, coming) {
      const keeping = inStore((store) => store.put(entry)).then(Boolean, () => false);
      await coming;
      // Nothing else is waited for before the request: the page may be left at any moment.
      waiting.push(entry);
      const answer = (await deliver()).get(entry.id);
      if (!answer && !(await keeping)) throw new Error("offline");
      if (answer && !answer.consentId) throw new Error(answer.detail as string);
      return answer ? { consent: answer } : "kept";
    },
  };
}

/**
 * Sends entries as plain text, as beacons are: a browser asks for no permission first. Answers what the
 * service says of each; what it does not speak of is to be sent again.
 * @throws Error where nothing was answered
 */
async function post(url: string, entries: readonly Entry[]): Promise<Map<string, Answered>> {
  const body = JSON.stringify(entries.map((entry) => entry.body));
  const keepalive = body.length < KEEPALIVE_LENGTH_MAX;
  const answer = await request(url, { method: "POST", body, keepalive });
  const answers = new Map<string, Answered>();
  // Too many requests (429) may pass, as what is the service's own fault may. Else it is refused for good, and
  // must not keep back the others.
  if (!answer.ok && answer.status < 500 && answer.status !== 429)
    for (const entry of entries) {
      const refused = new Map([[entry.id, { detail: answer.status }]]);
      const each = entries[1] ? await post(url, [entry]).catch(() => []) : refused;
      for (const [id, one] of each) answers.set(id, one);
    }
  const given = answer.ok ? ((await answer.json()) as (Answered | undefined)[]) : [];
  for (const [at, { id }] of entries.entries()) {
    const one = given[at];
    if (one) answers.set(id, one);
  }
  return answers;
}

/** Runs one request on the store. @throws where IndexedDB is blocked, full or another's */
export function inStore<T>(use: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open("avow");
    Object.assign(opening, {
      onupgradeneeded: () => opening.result.createObjectStore(STORE, { keyPath: "id" }),
      onerror: reject,
      onsuccess() {
        const database = opening.result;
        try {
          const transaction = database.transaction(STORE, "readwrite");
          const asked = use(transaction.objectStore(STORE));
          const oncomplete = (): void => resolve(asked.result);
          Object.assign(transaction, { oncomplete, onabort: reject });
        } catch (error) {
          reject(error);
        }
        // Once what was begun has ended.
        database.close();
      },
    });
  });
}

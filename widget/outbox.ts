import { request } from "./request.ts";

/** A consent on its way: what the service's batch route takes (wire section 4), and where it goes. */
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
type Answered = Record<string, unknown>;

const STORE = "outbox";
const AGAIN_MS = 20_000;
const ENTRIES_MAX = 100;
/** A body sent with `keepalive` is 64 KiB at most (Fetch, HTTP-network-or-cache fetch). */
const KEEPALIVE_LENGTH_MAX = 30_000;

/**
 * Sends consents, each exactly once: it is kept in IndexedDB first and forgotten when the service has
 * answered. What could not be sent is sent again when the network is back, or on a later page.
 */
export interface Outbox {
  /**
   * Sends an entry, with what is known `later`: it is kept without that, should the page be left before.
   * @throws Error for what the service refuses, and for what can be neither sent nor kept
   */
  send(entry: Entry, later: () => Promise<object>): Promise<Sent>;
  /** Sends what earlier pages could not. */
  flush(): Promise<unknown>;
}

/** Opens the queue of what is to be sent. */
export function openOutbox(): Outbox {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let last: Promise<unknown> = Promise.resolve();
  const flush = (): Promise<unknown> => inTurn().catch(() => again());
  const again = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => void flush(), AGAIN_MS);
  };
  /** One after the other: what was answered last counts, so it must not come to the service before. */
  const inTurn = (own?: Entry): Promise<Answered | undefined> => {
    const turn = last.then(() => deliverAll(own));
    last = turn.catch(() => undefined);
    return turn;
  };
  addEventListener("online", () => void flush());
  return {
    flush,
    async send(entry, later) {
      const isKept = await inStore((store) => store.put(entry)).then(Boolean, () => false);
      let consent: Answered = {};
      try {
        const body = { ...entry.body, ...(await later()) };
        consent = (await inTurn({ ...entry, body })) ?? consent;
      } catch (error) {
        if (!isKept) throw error;
        again();
        return "kept";
      }
      // Sent again it would be refused again.
      if (!consent["consentId"]) throw new Error(String(consent["detail"]));
      return { consent };
    },
  };
}

/** Delivers what is kept, oldest first, and `own` last; answers what became of that. @throws as `deliver` */
async function deliverAll(own: Entry | undefined): Promise<Answered | undefined> {
  const kept = await inStore(
    (store) => store.getAll(undefined, ENTRIES_MAX) as IDBRequest<Entry[]>,
  ).catch(() => []);
  const before = kept.filter(({ id }) => id !== own?.id);
  for (const url of new Set(before.map((entry) => entry.url)))
    await deliver(
      url,
      before.filter((entry) => entry.url === url),
    );
  return own && (await deliver(own.url, [own]))[0];
}

/**
 * Sends entries as plain text, as beacons are: a browser asks for no permission first. What is answered, if
 * only by a refusal, is forgotten.
 * @throws Error where they should be sent again
 */
async function deliver(url: string, entries: readonly Entry[]): Promise<Answered[]> {
  const text = JSON.stringify(entries.map(({ body }) => body));
  const keepalive = text.length < KEEPALIVE_LENGTH_MAX;
  const answer = await request(url, { method: "POST", body: text, keepalive });
  const { status } = answer;
  if (status > 499 || status === 429 || status === 408) throw new Error(`${status}`);
  const given = [(await answer.json()) as Answered | Answered[]].flat();
  for (const { id } of entries) await inStore((store) => store.delete(id)).catch(() => undefined);
  return given;
}

/** Runs one request on the store. @throws where IndexedDB is blocked or full */
function inStore<T>(use: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open("avow");
    opening.addEventListener("upgradeneeded", () =>
      opening.result.createObjectStore(STORE, { keyPath: "id" }),
    );
    opening.addEventListener("error", reject);
    opening.addEventListener("success", () => {
      const database = opening.result;
      const transaction = database.transaction(STORE, "readwrite");
      const asked = use(transaction.objectStore(STORE));
      transaction.addEventListener("complete", () => {
        database.close();
        resolve(asked.result);
      });
      transaction.addEventListener("abort", reject);
    });
  });
}

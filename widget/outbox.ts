import { request } from "./request.ts";

/** A consent on its way: what the service's batch route takes (wire section 4), and where it goes. */
export interface Entry {
  /** Made here, so that sending it again adds nothing. */
  id: string;
  /** The batch route of the project. */
  url: string;
  body: object;
}

/** What became of an entry: the service's consent, or that it is kept here and sent later. */
export type Sent = { consent: Record<string, unknown> } | "kept";

const STORE = "outbox";
const AGAIN_MS = 20_000;
const ENTRIES_MAX = 20;
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
  flush(): Promise<void>;
}

/** Opens the queue of what is to be sent. */
export function openOutbox(): Outbox {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const again = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => void flush(), AGAIN_MS);
  };
  const flush = async (): Promise<void> => {
    try {
      const kept = await inStore(
        (store) => store.getAll(undefined, ENTRIES_MAX) as IDBRequest<Entry[]>,
      );
      for (const entry of kept) await deliver(entry);
      if (kept.length === ENTRIES_MAX) await flush();
    } catch {
      again();
    }
  };
  addEventListener("online", () => void flush());
  return {
    flush,
    async send(entry, later) {
      const keeping = inStore((store) => store.put(entry));
      const isKept = await keeping.then(Boolean, () => false);
      let consent;
      try {
        consent = await deliver({ ...entry, body: { ...entry.body, ...(await later()) } });
      } catch (error) {
        if (!isKept) throw error;
        again();
        return "kept";
      }
      // A problem (RFC 9457) in place of a consent: sent again it would be refused again.
      if (!consent["consentId"]) throw new Error(String(consent["detail"]));
      return { consent };
    },
  };
}

/**
 * Sends one as plain text, as beacons are: a browser asks for no permission first. What is answered, if
 * only by a refusal, is forgotten.
 * @throws Error where it should be sent again
 */
async function deliver({ id, url, body }: Entry): Promise<Record<string, unknown>> {
  const text = JSON.stringify([body]);
  const keepalive = text.length < KEEPALIVE_LENGTH_MAX;
  const answer = await request(url, { method: "POST", body: text, keepalive });
  const { status } = answer;
  if (status > 499 || status === 429 || status === 408) throw new Error(`${status}`);
  const given = (await answer.json()) as Record<string, unknown>[] | Record<string, unknown>;
  await inStore((store) => store.delete(id)).catch(() => undefined);
  return Array.isArray(given) ? (given[0] ?? {}) : given;
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

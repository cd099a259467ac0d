import type { Entry } from "../core/sending/outbox.ts";
import type { ServicePorts } from "../core/sending/service.ts";
import { request } from "./request.ts";

const STORE = "outbox";
const ENTRIES_MAX = 100;

/** The browser: unsent entries are in IndexedDB. */
export const browserPorts: ServicePorts = {
  transport: request,
  listEntries: listKept,
  putEntry: (entry) => inStore((store) => store.put(entry)),
  removeEntry: (id) => inStore((store) => store.delete(id)),
  toPageUrl() {
    const page = location.origin + location.pathname;
    return page.startsWith("http") ? page : undefined;
  },
};

/** The oldest entries with these ids; by default of all. */
export function listKept(ids?: IDBKeyRange): Promise<Entry[]> {
  return inStore((store) => store.getAll(ids, ENTRIES_MAX));
}

/** Runs one request on the store. @throws when IndexedDB is blocked, full or in use by other code */
function inStore<T>(use: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open("avow");
    Object.assign(opening, {
      onupgradeneeded: () => opening.result.createObjectStore(STORE, { keyPath: "id" }),
      onerror: reject,
      onsuccess() {
        const database = opening.result;
        try {
          const transaction = database.transaction(STORE, "readwrite");
          const storeRequest = use(transaction.objectStore(STORE));
          const oncomplete = (): void => resolve(storeRequest.result);
          Object.assign(transaction, { oncomplete, onabort: reject });
        } catch (error) {
          reject(error);
        }
        // Closes after pending transactions have completed.
        database.close();
      },
    });
  });
}

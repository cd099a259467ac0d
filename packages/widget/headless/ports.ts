import type { Transport } from "../core/sending/transport.ts";

/** The lifetime of a stored text. */
export interface Lifetime {
  days: number;
  /** The domain of a cookie, such as `.shop.example`. */
  domain?: string | undefined;
}

/**
 * Storage of texts on the visitor's device, synchronous or not. An error of `read` counts as a missing text; an error of
 * `write` leaves the text in memory.
 */
export interface ConsentStorage {
  /** One stored text, several of the same name (cookies of parent domains), or none. */
  read(name: string): StoredTexts | Promise<StoredTexts>;
  write(name: string, text: string, lifetime?: Lifetime): unknown;
}

type StoredTexts = string | readonly string[] | null | undefined;

/** `localStorage`, or AsyncStorage of React Native. */
export interface KeyValueStorage {
  getItem(key: string): string | null | Promise<string | null>;
  setItem(key: string, value: string): unknown;
}

/** Makes a storage of keys and values. */
export function toConsentStorage(storage: KeyValueStorage): ConsentStorage {
  return {
    read: (name) => storage.getItem(name),
    write: (name, text) => storage.setItem(name, text),
  };
}

/** Storage that ends with the process, for tests and for visitors who cannot be remembered. */
export function createMemoryStorage(texts: Record<string, string> = {}): ConsentStorage {
  const held = new Map(Object.entries(texts));
  return {
    read: (name) => held.get(name),
    write: (name, text) => held.set(name, text),
  };
}

const TIMEOUT_MS = 15_000;

/** Sends requests by the global `fetch`, without cookies. The timeout of 15 seconds includes the body. */
export const fetchTransport: Transport = async (url, init) => {
  // `AbortSignal.timeout` is missing in React Native.
  const aborting = new AbortController();
  const timer = setTimeout(() => aborting.abort(), TIMEOUT_MS);
  try {
    const answer = await fetch(url, { credentials: "omit", signal: aborting.signal, ...init });
    const text = await answer.text();
    return {
      ok: answer.ok,
      status: answer.status,
      json: () => Promise.resolve(JSON.parse(text) as unknown),
    };
  } finally {
    clearTimeout(timer);
  }
};

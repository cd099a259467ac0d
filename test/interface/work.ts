import { AsyncLocalStorage } from "node:async_hooks";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { mock } from "node:test";
import { Client } from "pg";
import type { Passwords } from "../../packages/server/platform/crypto/passwords.ts";

/** The work of a request. */
export interface Work {
  /** Its queries up to the response, in order. */
  queries: string[];
  /** Number of hashed or verified passwords. */
  hashes: number;
}

const REQUEST = "http.server.request.start";

export interface WorkCounter extends Disposable {
  /** For the service under test: wraps the hasher and counts its calls. */
  passwords: Passwords;
  measure(send: () => Promise<unknown>): Promise<Work>;
}

/**
 * Counts the work of requests to services of this process that are opened after it. Each query and
 * hash is attributed to its request: background jobs are not counted. Measures one request at a time.
 */
export function openWork(passwords: Passwords): WorkCounter {
  const request = new AsyncLocalStorage<Work>();
  let newest: Work = { queries: [], hashes: 0 };
  const begin = (): void => {
    newest = { queries: [], hashes: 0 };
    request.enterWith(newest);
  };
  subscribe(REQUEST, begin);
  // oxlint-disable-next-line typescript/unbound-method -- called with its connection below
  const { query } = Client.prototype;
  const counted = mock.method(
    Client.prototype,
    "query",
    function (this: Client, ...given: unknown[]) {
      const [asked] = given as [string | { text?: string }];
      request.getStore()?.queries.push(typeof asked === "string" ? asked : (asked.text ?? ""));
      return Reflect.apply(query, this, given);
    },
  );
  const countHash = (): void => {
    const work = request.getStore();
    if (work) work.hashes += 1;
  };
  return {
    passwords: {
      hash(...given) {
        countHash();
        return passwords.hash(...given);
      },
      verify(...given) {
        countHash();
        return passwords.verify(...given);
      },
    },
    async measure(send) {
      await send();
      return structuredClone(newest);
    },
    [Symbol.dispose]() {
      unsubscribe(REQUEST, begin);
      counted.mock.restore();
    },
  };
}

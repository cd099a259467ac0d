import { AsyncLocalStorage } from "node:async_hooks";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { mock } from "node:test";
import { Client } from "pg";

/** What answering a request took. */
export interface Work {
  /** What was asked of the database before it was answered, in that order. */
  queries: string[];
  /** Of all threads of this process, those that hash passwords too: other processes are not in it. */
  cpuMs: number;
  ms: number;
}

const REQUEST = "http.server.request.start";

/**
 * Opens a count of what requests take to services of this process that are opened after it. Queries are told apart by the request that asks them:
 * what jobs ask meanwhile is not counted. One request at a time is measured.
 */
export function openWork(): Disposable & { measure(send: () => Promise<unknown>): Promise<Work> } {
  const request = new AsyncLocalStorage<string[]>();
  let newest: string[] = [];
  const begin = (): void => {
    newest = [];
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
      request.getStore()?.push(typeof asked === "string" ? asked : (asked.text ?? ""));
      return Reflect.apply(query, this, given);
    },
  );
  return {
    async measure(send) {
      const [cpu, from] = [process.cpuUsage(), performance.now()];
      await send();
      const ms = performance.now() - from;
      const { user, system } = process.cpuUsage(cpu);
      return { queries: newest.slice(), cpuMs: (user + system) / 1_000, ms };
    },
    [Symbol.dispose]() {
      unsubscribe(REQUEST, begin);
      counted.mock.restore();
    },
  };
}

import assert from "node:assert/strict";
import { test } from "node:test";
import { keepServer } from "./keeper.ts";
import type { Exit, Server } from "./server.ts";

const killed: Exit = { code: null, signal: "SIGKILL" };

/** A server without a process, and how to end it. */
function openServer(): Server & { end: () => void } {
  const exit = Promise.withResolvers<Exit>();
  const end = (): void => exit.resolve(killed);
  return { pid: 1, exited: exit.promise, end, [Symbol.asyncDispose]: async () => end() };
}

/** A keeper of servers that start as `restart` says, which is told the number of each try. */
async function openKeeper(
  restart: (tries: number) => Promise<Server>,
  options: { isDiskFull?: () => Promise<boolean>; signal?: AbortSignal } = {},
) {
  const first = openServer();
  const warnings: unknown[] = [];
  let tries = 0;
  const keeper = await keepServer({
    start: async () => first,
    restart: () => restart(++tries),
    isDiskFull: options.isDiskFull ?? (async () => false),
    signal: options.signal,
    log: { warn: (...told: unknown[]) => void warnings.push(told) },
    toDelayMs: () => 0,
  });
  return { keeper, first, warnings, tries: () => tries };
}

test("a server that ends is started again, and ends with its keeper", async () => {
  const started = Promise.withResolvers<Server>();
  const second = openServer();
  const { keeper, first } = await openKeeper(async () => {
    started.resolve(second);
    return second;
  });
  first.end();
  await started.promise;
  await keeper[Symbol.asyncDispose]();
  assert.deepEqual(await second.exited, killed);
});

test("a server that does not start is lost after ten tries, and the last failure told", async () => {
  const { keeper, first, tries } = await openKeeper(async (number) => {
    throw new Error(`failure ${number}`);
  });
  first.end();
  assert.match((await keeper.lost).message, /does not stay up.*10 times\. failure 10/);
  assert.equal(tries(), 10);
  await keeper[Symbol.asyncDispose]();
});

test("a server that ends as soon as it is up is lost after ten tries", async () => {
  const { keeper, first, tries } = await openKeeper(async () => {
    const next = openServer();
    next.end();
    return next;
  });
  first.end();
  assert.match((await keeper.lost).message, /ends as soon as it is up/);
  assert.equal(tries(), 10);
  await keeper[Symbol.asyncDispose]();
});

test("tries while the disk is full do not count, and a stop ends the wait for room", async () => {
  const full = Promise.withResolvers<void>();
  const { keeper, first, tries } = await openKeeper(
    async () => {
      throw new Error("No space left on device");
    },
    {
      isDiskFull: async () => {
        full.resolve();
        return true;
      },
    },
  );
  first.end();
  await full.promise;
  await keeper[Symbol.asyncDispose]();
  assert.equal(tries(), 1);
});

test("a server that comes up while its keeper is disposed is stopped too", async () => {
  const asked = Promise.withResolvers<void>();
  const start = Promise.withResolvers<Server>();
  const { keeper, first } = await openKeeper(() => {
    asked.resolve();
    return start.promise;
  });
  first.end();
  await asked.promise;
  const disposed = keeper[Symbol.asyncDispose]();
  const late = openServer();
  start.resolve(late);
  await disposed;
  assert.deepEqual(await late.exited, killed);
});

test("a server that ends while the service stops is not started again", async () => {
  const signal = AbortSignal.abort();
  const { keeper, first, tries, warnings } = await openKeeper(async () => openServer(), { signal });
  first.end();
  await keeper[Symbol.asyncDispose]();
  assert.equal(tries(), 0);
  assert.deepEqual(warnings, []);
});

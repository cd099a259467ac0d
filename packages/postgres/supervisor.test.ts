import assert from "node:assert/strict";
import { test } from "node:test";
import { superviseServer } from "./supervisor.ts";
import type { Exit, Server } from "./server.ts";

const killed: Exit = { code: null, signal: "SIGKILL" };

/** A server without a process, and a function that ends it. */
function openServer(): Server & { end: () => void } {
  const exit = Promise.withResolvers<Exit>();
  const end = (): void => exit.resolve(killed);
  return { pid: 1, exited: exit.promise, end, [Symbol.asyncDispose]: async () => end() };
}

/** A supervisor whose restarts call `restart` with the number of the attempt. */
async function openSupervisor(
  restart: (tries: number) => Promise<Server>,
  options: { isDiskFull?: () => Promise<boolean>; signal?: AbortSignal } = {},
) {
  const first = openServer();
  const warnings: unknown[] = [];
  let tries = 0;
  const supervisor = await superviseServer({
    start: async () => first,
    restart: () => restart(++tries),
    isDiskFull: options.isDiskFull ?? (async () => false),
    signal: options.signal,
    log: { warn: (...args: unknown[]) => void warnings.push(args) },
    toDelayMs: () => 0,
  });
  return { supervisor, first, warnings, tries: () => tries };
}

test("restarts a server that exits, and stops it on disposal", async () => {
  const started = Promise.withResolvers<Server>();
  const second = openServer();
  const { supervisor, first } = await openSupervisor(async () => {
    started.resolve(second);
    return second;
  });
  first.end();
  await started.promise;
  await supervisor[Symbol.asyncDispose]();
  assert.deepEqual(await second.exited, killed);
});

test("fails permanently after ten restarts, with the last error", async () => {
  const { supervisor, first, tries } = await openSupervisor(async (number) => {
    throw new Error(`failure ${number}`);
  });
  first.end();
  assert.match((await supervisor.lost).message, /failed after 10 restarts\. failure 10/);
  assert.equal(tries(), 10);
  await supervisor[Symbol.asyncDispose]();
});

test("fails permanently after ten servers that exit right after their start", async () => {
  const { supervisor, first, tries } = await openSupervisor(async () => {
    const next = openServer();
    next.end();
    return next;
  });
  first.end();
  assert.match((await supervisor.lost).message, /exits right after its start/);
  assert.equal(tries(), 10);
  await supervisor[Symbol.asyncDispose]();
});

test("does not count restarts while the disk is full, and cancels their backoff on disposal", async () => {
  const full = Promise.withResolvers<void>();
  const { supervisor, first, tries } = await openSupervisor(
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
  await supervisor[Symbol.asyncDispose]();
  assert.equal(tries(), 1);
});

test("stops a server that starts during disposal", async () => {
  const requested = Promise.withResolvers<void>();
  const start = Promise.withResolvers<Server>();
  const { supervisor, first } = await openSupervisor(() => {
    requested.resolve();
    return start.promise;
  });
  first.end();
  await requested.promise;
  const disposed = supervisor[Symbol.asyncDispose]();
  const late = openServer();
  start.resolve(late);
  await disposed;
  assert.deepEqual(await late.exited, killed);
});

test("does not restart a server that exits during shutdown", async () => {
  const signal = AbortSignal.abort();
  const { supervisor, first, tries, warnings } = await openSupervisor(async () => openServer(), {
    signal,
  });
  first.end();
  await supervisor[Symbol.asyncDispose]();
  assert.equal(tries(), 0);
  assert.deepEqual(warnings, []);
});

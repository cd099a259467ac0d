import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Fault } from "../errors.ts";
import { type FairQueueOptions, type QueueEntry, openFairQueue } from "./fair-queue.ts";

/** A clock that the test moves. */
function openClock() {
  const timers = new Set<{ at: number; run: () => void }>();
  let ms = 0;
  return {
    now: () => ms,
    setTimeout(run: () => void, delayMs: number) {
      const timer = { at: ms + delayMs, run };
      timers.add(timer);
      return { [Symbol.dispose]: () => void timers.delete(timer) };
    },
    timers,
    advance(byMs: number) {
      ms += byMs;
      for (const timer of [...timers].filter(({ at }) => at <= ms)) {
        timers.delete(timer);
        timer.run();
      }
    },
  };
}

/** A queue whose entries end one by one, in the order in which they started, each after `ms`. */
function open(options: Partial<FairQueueOptions> = {}) {
  const clock = openClock();
  const queue = openFairQueue({
    capacity: 1,
    waitersMax: 100,
    toFault: (kind) => new Fault(kind, kind, { retryAfterSeconds: 1 }),
    clock,
    ...options,
  });
  const started: string[] = [];
  const running = new Map<string, { ms: number; end: () => void }>();
  const run = (name: string, entry: QueueEntry, ms = 0): Promise<string> =>
    queue
      .run(entry, () => {
        const { promise, resolve } = Promise.withResolvers<string>();
        started.push(name);
        running.set(name, { ms, end: () => resolve("done") });
        return promise;
      })
      .catch((error: unknown) => {
        assert.ok(error instanceof Fault);
        return error.message;
      });
  const endOne = async (name?: string): Promise<void> => {
    await new Promise(setImmediate);
    const ended = name ?? [...running.keys()][0] ?? "";
    const { ms, end } = running.get(ended) ?? { ms: 0, end: () => undefined };
    running.delete(ended);
    clock.advance(ms);
    end();
    await new Promise(setImmediate);
  };
  const endAll = async (results: Promise<string>[]): Promise<string[]> => {
    do await endOne();
    while (running.size > 0);
    return Promise.all(results);
  };
  return { clock, queue, started, run, endOne, endAll };
}

const of = (...keys: string[]): QueueEntry => ({ keys });
const urgent = (...keys: string[]): QueueEntry => ({ keys, isUrgent: true });
const visitor = (...keys: string[]): QueueEntry => ({ kind: "visitor", keys });

describe("a fair queue", () => {
  it("alternates between keys, however many entries one of them has", async () => {
    const { started, run, endAll } = open();
    await endAll([
      run("a1", of("a")),
      run("a2", of("a")),
      run("a3", of("a")),
      run("b1", of("b")),
      run("b2", of("b")),
      run("c1", of("c")),
    ]);
    assert.deepEqual(started, ["a1", "b1", "c1", "a2", "b2", "a3"]);
  });

  it("serves the key with the least work first, including work that runs", async () => {
    const { clock, started, run, endOne, endAll } = open({ capacity: 2 });
    const results = [run("slow1", of("slow"), 100)];
    clock.advance(100);
    results.push(run("quick1", of("quick"), 10), run("slow2", of("slow")));
    results.push(...["quick2", "quick3"].map((name) => run(name, of("quick"), 10)));
    for (const name of ["quick1", "quick2"]) await endOne(name);
    await endAll(results);
    assert.deepEqual(started, ["slow1", "quick1", "quick2", "quick3", "slow2"]);
  });

  it("counts an entry of several keys for each, and ranks it by the one with the most work", async () => {
    const { started, run, endAll } = open();
    await endAll([
      run("file1 from x", of("file1", "x"), 50),
      run("file1 from y", of("file1", "y")),
      run("file2 from x", of("file2", "x")),
      run("file2 from z", of("file2", "z")),
    ]);
    assert.deepEqual(started, ["file1 from x", "file2 from z", "file1 from y", "file2 from x"]);
  });

  it("does not starve a key while new keys keep arriving", async () => {
    const { started, run, endOne, endAll } = open();
    const results = [run("a1", of("a"), 10), run("a2", of("a"), 10)];
    for (let n = 0; n < 10; n += 1) {
      results.push(run(`new${n}`, of(`new${n}`), 10));
      await endOne();
    }
    await endAll(results);
    assert.ok(started.indexOf("a2") < 5, started.join());
  });

  it("forgets work once nothing runs", async () => {
    const { started, run, endAll } = open();
    await endAll([run("a1", of("a"), 1_000)]);
    await endAll([run("first", of("c")), run("a2", of("a")), run("b1", of("b"))]);
    assert.deepEqual(started, ["a1", "first", "a2", "b1"]);
  });

  it("serves urgent entries of a key before its others", async () => {
    const { started, run, endAll } = open();
    await endAll([
      run("running", of("a")),
      run("a1", of("a")),
      run("a2", urgent("a")),
      run("b1", of("b")),
    ]);
    assert.deepEqual(started, ["running", "b1", "a2", "a1"]);
  });

  it("serves urgent entries of a key before others that arrived earlier", async () => {
    const { started, run, endOne, endAll } = open();
    const results = [run("b1", of("b"), 100), run("c1", of("c"), 100), run("a1", of("a"))];
    await endOne();
    await endAll([...results, run("a2", urgent("a"))]);
    assert.deepEqual(started, ["b1", "c1", "a2", "a1"]);
  });

  it("serves owners before visitors and keeps slots for them", async () => {
    const { started, run, endAll } = open({ capacity: 2, visitorCapacity: 1 });
    const results = [
      run("v1", visitor("v")),
      run("v2", visitor("w")),
      run("o1", of("o")),
      run("o2", of("o")),
    ];
    await endAll(results);
    assert.deepEqual(started, ["v1", "o1", "o2", "v2"]);
  });

  it("rejects an entry beyond the maximum of its key with too-many", async () => {
    const { run, endAll } = open();
    const a = { keys: ["a"], keyMax: 2 };
    const results = [run("a1", a), run("a2", a), run("a3", a), run("b1", { ...a, keys: ["b"] })];
    assert.deepEqual(await endAll(results), ["done", "done", "too-many", "done"]);
    assert.deepEqual(await endAll([run("a4", a)]), ["done"]);
  });

  it("rejects the newest waiter of the longest queue when it is full", async () => {
    const { run, endAll } = open({ waitersMax: 3 });
    const results = ["a0", "a1", "a2", "a3", "a4"].map((name) => run(name, of("a")));
    results.push(run("b1", of("b")), run("b2", of("b")), run("c1", of("c")));
    const rejected = ["busy", "busy", "busy"];
    assert.deepEqual(await endAll(results), ["done", "done", ...rejected, "done", "busy", "done"]);
  });

  it("evicts an entry that is not urgent for an urgent one of its key", async () => {
    const { run, endAll } = open({ waitersMax: 2 });
    const results = [
      run("running", of("a")),
      run("a1", of("a")),
      run("a2", of("a")),
      run("a3", of("a")),
      run("a4", urgent("a")),
    ];
    assert.deepEqual(await endAll(results), ["done", "done", "busy", "busy", "done"]);
  });

  it("evicts visitors for owners, never owners for visitors", async () => {
    const { run, endAll } = open({ waitersMax: 2 });
    const results = [
      run("running", of("o")),
      run("v1", visitor("v")),
      run("v2", visitor("w")),
      run("o1", of("o")),
      run("o2", of("o")),
      run("v3", visitor("v")),
    ];
    assert.deepEqual(await endAll(results), ["done", "busy", "busy", "done", "done", "busy"]);
  });

  it("rejects a waiter after the maximum wait, and later ones after theirs", async () => {
    const { clock, run, endAll } = open({ waitMsMax: 5_000 });
    const results = [run("running", of("a")), run("early", of("a"))];
    clock.advance(3_000);
    results.push(run("late", of("a")));
    clock.advance(2_000);
    assert.equal(await results[1], "busy");
    assert.deepEqual(await endAll(results), ["done", "busy", "done"]);
    assert.equal(clock.timers.size, 0);
  });

  it("removes a waiter whose signal aborts, and runs none whose signal has aborted", async () => {
    const { clock, started, run, endAll } = open({ waitMsMax: 5_000 });
    const { signal, abort } = toAbortable();
    const results = [run("running", of("a")), run("gone", { keys: ["a"], signal })];
    abort();
    results.push(run("late", { keys: ["b"], signal }));
    const [, ...gone] = await endAll(results);
    for (const message of gone) assert.match(message, /no longer waits/);
    assert.deepEqual(started, ["running"]);
    assert.equal(clock.timers.size, 0);
  });

  it("releases the slot of work that fails", async () => {
    const { queue, run, endAll } = open({ waitersMax: 0 });
    await assert.rejects(
      queue.run(of("a"), () => Promise.reject(new Error("failed"))),
      /failed/,
    );
    assert.deepEqual(await endAll([run("next", of("a"))]), ["done"]);
  });

  it("rejects waiters and later entries once it is disposed of, and lets running work end", async () => {
    const { queue, run, endAll } = open();
    const results = [run("running", of("a")), run("waiter", of("a"))];
    queue[Symbol.dispose]();
    results.push(run("late", of("b")));
    const [first, ...others] = await endAll(results);
    assert.equal(first, "done");
    for (const message of others) assert.match(message, /shutting down/);
  });
});

function toAbortable() {
  const controller = new AbortController();
  return { signal: controller.signal, abort: () => controller.abort() };
}

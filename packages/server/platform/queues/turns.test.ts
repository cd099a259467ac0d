import assert from "node:assert/strict";
import { test } from "node:test";
import { openTurns } from "./turns.ts";

const refused = new Error("come back later");

/** One turn at a time; works end when they are told to, and clocks go on when they are told to. */
function openCounter({ waitingMax = 100 } = {}) {
  const clock = { ms: 0 };
  const takeTurn = openTurns({
    concurrencyMax: 1,
    waitingMax,
    waitMsMax: 5_000,
    now: () => clock.ms,
    toRefusal: () => refused,
  });
  const began: string[] = [];
  const ends: (() => void)[] = [];
  const ask = async (name: string, { from = "192.0.2.1", isUrgent = false } = {}) => {
    const work = async () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      began.push(name);
      ends.push(resolve);
      await promise;
    };
    return takeTurn({ from, isUrgent, work }).then(
      () => "done",
      (error: unknown) => {
        assert.equal(error, refused);
        return "refused";
      },
    );
  };
  /** Ends works, one after the other, until all who were asked have their answer. */
  const endAll = async (asked: Promise<string>[]): Promise<string[]> => {
    const waiting = new Set(asked);
    for (const one of asked) void one.then(() => waiting.delete(one));
    while (waiting.size > 0) {
      ends.shift()?.();
      await new Promise((resolve) => setImmediate(resolve));
    }
    return Promise.all(asked);
  };
  return { clock, began, ask, endAll };
}

test("of one network what is urgent goes first, and else who came first", async () => {
  const { began, ask, endAll } = openCounter();
  const asked = [
    ask("running"),
    ask("sign-up 1"),
    ask("sign-up 2"),
    ask("sign-in 1", { isUrgent: true }),
    ask("sign-in 2", { isUrgent: true }),
  ];
  assert.deepEqual([...new Set(await endAll(asked))], ["done"]);
  assert.deepEqual(began, ["running", "sign-in 1", "sign-in 2", "sign-up 1", "sign-up 2"]);
});

test("networks take turns, whatever each of them has that is urgent", async () => {
  const { began, ask, endAll } = openCounter();
  const asked = ["running", "a", "b", "c"].map((name) => ask(name, { isUrgent: true }));
  await endAll([...asked, ask("other", { from: "192.0.2.2" })]);
  assert.deepEqual(began, ["running", "a", "other", "b", "c"]);
});

test("who has waited too long is sent away once it would be their turn, and who came later is not", async () => {
  const { clock, began, ask, endAll } = openCounter();
  const early = [ask("running"), ask("sign-up"), ask("sign-in", { isUrgent: true })];
  clock.ms = 3_000;
  const late = ask("late");
  clock.ms = 5_001;
  assert.deepEqual(await endAll([...early, late]), ["done", "refused", "refused", "done"]);
  assert.deepEqual(began, ["running", "late"]);
  assert.deepEqual(await endAll([ask("afterwards")]), ["done"], "its turn was given back");
});

test("where the room is full, a sign-up makes room for who signs in from its own network, and for no other sign-up", async () => {
  const { began, ask, endAll } = openCounter({ waitingMax: 2 });
  const asked = [
    ask("running"),
    ask("sign-up 1"),
    ask("sign-up 2"),
    ask("sign-up 3"),
    ask("sign-in", { isUrgent: true }),
  ];
  assert.deepEqual(await endAll(asked), ["done", "done", "refused", "refused", "done"]);
  assert.deepEqual(began, ["running", "sign-in", "sign-up 1"]);
});

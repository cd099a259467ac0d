import assert from "node:assert/strict";
import { it } from "node:test";
import { Fault } from "../../../platform/errors.ts";
import { openSharedWork } from "./shared-work.ts";

const isBusy = (error: unknown) => error instanceof Fault && error.kind === "busy";

/** Work that ends when `end` is called, and counts its starts. */
function toSlow() {
  const ended = Promise.withResolvers<string>();
  const begun = { times: 0 };
  const make = () => {
    begun.times += 1;
    return ended.promise;
  };
  return { make, begun, end: () => ended.resolve("made") };
}

it("limits renders of visitors by content and by address, but not those of owners", async () => {
  const once = openSharedWork<string>({ visitorsMax: 4, keyMax: 2 });
  const { make, end } = toSlow();
  const ask = (key: string, ...keys: string[]) => once(key, { kind: "visitor", keys }, make);
  const made = [ask("1", "a", "x"), ask("2", "a", "y")];
  await assert.rejects(ask("3", "a", "z"), isBusy);
  made.push(ask("4", "b", "y"));
  await assert.rejects(ask("5", "c", "y"), isBusy);
  // A client that shares work does not count.
  made.push(ask("1", "a", "y"), ask("6", "c", "x"));
  await assert.rejects(ask("7", "d", "z"), isBusy);
  made.push(once("8", { kind: "owner", keys: ["a"] }, make));
  end();
  assert.deepEqual(new Set(await Promise.all(made)), new Set(["made"]));
  assert.equal(await ask("3", "a", "z"), "made");
});

it("does not share visitors' work with owners, but owners' work with visitors", async () => {
  const once = openSharedWork<string>();
  const [visited, owned] = [toSlow(), toSlow()];
  const visitor = { kind: "visitor", keys: ["a"] } as const;
  const owner = { kind: "owner", keys: ["b"] } as const;
  const first = once("1", visitor, visited.make);
  const second = once("1", owner, owned.make);
  const third = once("1", visitor, owned.make);
  const fourth = once("1", owner, owned.make);
  owned.end();
  assert.deepEqual(await Promise.all([second, third, fourth]), ["made", "made", "made"]);
  assert.deepEqual([visited.begun.times, owned.begun.times], [1, 1]);
  visited.end();
  assert.equal(await first, "made");
});

it("counts abandoned work until it has ended", async () => {
  const once = openSharedWork<string>({ visitorsMax: 1 });
  const { make, end } = toSlow();
  const gone = new AbortController();
  const first = once("1", { kind: "visitor", keys: [], signal: gone.signal }, make);
  gone.abort();
  await assert.rejects(first, isBusy);
  const visitor = { kind: "visitor", keys: [] } as const;
  await assert.rejects(once("2", visitor, make), isBusy);
  end();
  await new Promise(setImmediate);
  assert.equal(await once("2", visitor, make), "made");
});

it("aborts work when its last client has disconnected", async () => {
  const once = openSharedWork<string>();
  const gone = [new AbortController(), new AbortController()] as const;
  let workSignal: AbortSignal | undefined;
  const [one, two] = gone.map(({ signal }) =>
    once("1", { kind: "visitor", keys: [], signal }, ({ signal: shared }) => {
      workSignal = shared;
      return new Promise(() => undefined);
    }),
  );
  assert.ok(one && two);
  gone[0].abort();
  await assert.rejects(one, isBusy);
  assert.equal(workSignal?.aborted, false);
  gone[1].abort();
  await assert.rejects(two, isBusy);
  assert.equal(workSignal?.aborted, true);
});

import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, describe, it } from "node:test";
import sharp from "sharp";
import { Fault } from "../../../platform/errors.ts";
import type { Client } from "../../../platform/queues/fair-queue.ts";
import { type PicturesOptions, openPictures } from "./pool.ts";
import type { Task } from "../formats/tasks.ts";

/** A child that performs the behaviour named by the path of its task. */
const child = new URL("../../../../../test/assets/scripted-child.ts", import.meta.url);
const owner = { kind: "owner", keys: ["a user"] } as const;
const visitor = { kind: "visitor", keys: ["a file"] } as const;
const spec = {
  format: "png",
  width: 1,
  height: 1,
  how: "cut",
  isCompressed: false,
  isAnimated: false,
} as const;
/** `pid` may take as long as a process takes to start on a busy machine. */
const ask = (path: string): Task =>
  path === "pid"
    ? { kind: "render", path, out: "", type: "image/png", spec }
    : { kind: "inspect", path, out: "" };

function open(t: TestContext, options: PicturesOptions = {}, inspectMs = 20_000) {
  const timeoutMs = { inspect: inspectMs, render: 60_000 };
  const pictures = openPictures({ childrenMax: 1, timeoutMs, child, ...options });
  t.after(() => pictures[Symbol.dispose]());
  return pictures;
}

const faultOf = async (done: Promise<unknown>): Promise<Fault> => {
  const error = await done.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  assert.ok(error instanceof Fault, String(error));
  return error;
};

describe("the processes that make pictures", () => {
  it("are limited in number, run one task each, and are reused", async (t) => {
    const pictures = open(t, { childrenMax: 2 });
    const results = await Promise.all(
      Array.from({ length: 12 }, () => pictures.run(ask("pid"), owner) as Promise<unknown>),
    );
    const pids = new Set(results.map((one) => (one as { sha256: string }).sha256));
    assert.ok(pids.size <= 2, [...pids].join());
  });

  it("are killed when a task times out, even in a busy loop, and the next task runs", async (t) => {
    const pictures = open(t, {}, 300);
    for (const path of ["hang", "spin"]) {
      const fault = await faultOf(pictures.run(ask(path), owner));
      assert.equal(fault.kind, "impossible");
      assert.match(fault.message, /too long/);
      await pictures.run(ask("pid"), owner);
    }
  });

  it("are replaced when they crash, and waiting tasks run", async (t) => {
    const pictures = open(t);
    const crashed = pictures.run(ask("crash"), owner);
    const next = pictures.run(ask("pid"), owner);
    assert.equal((await faultOf(crashed)).kind, "impossible");
    assert.ok(await next);
  });

  it("report the library's error of a failed render as an internal error", async (t) => {
    const pictures = open(t);
    await assert.rejects(pictures.run(ask("fail"), owner), /rendering failed: it failed/);
  });

  it("reject tasks beyond the maximum of waiters, and after the maximum wait", async (t) => {
    const pictures = open(t, { waitersMax: 2, waitMsMax: 300 });
    const first = pictures.run(ask("hang"), owner);
    const waiting = [pictures.run(ask("pid"), owner), pictures.run(ask("pid"), owner)];
    const beyond = await faultOf(pictures.run(ask("pid"), owner));
    assert.equal(beyond.kind, "busy");
    assert.ok(beyond.retryAfterSeconds);
    for (const one of waiting) assert.equal((await faultOf(one)).kind, "busy");
    pictures[Symbol.dispose]();
    assert.equal((await faultOf(first)).kind, "busy");
  });

  it("run tasks of owners first, and evict those of visitors for them", async (t) => {
    const pictures = open(t, { waitersMax: 3 }, 300);
    const order: string[] = [];
    const run = (client: Client) =>
      pictures.run(ask("pid"), client).then(() => order.push(client.kind ?? ""));
    const first = faultOf(pictures.run(ask("hang"), visitor));
    const [kept, ...others] = [visitor, visitor, visitor].map(run);
    const evicted = others.map(faultOf);
    await Promise.all([first, kept, run(owner), run(owner)]);
    assert.deepEqual(order, ["owner", "owner", "visitor"]);
    for (const fault of await Promise.all(evicted)) assert.equal(fault.kind, "busy");
  });

  it("reserve one process for owners", async (t) => {
    const pictures = open(t, { childrenMax: 2 });
    const runs = ["hang", "hang", "hang"].map((path) => faultOf(pictures.run(ask(path), visitor)));
    for (let n = 0; n < 5; n += 1) await pictures.run(ask("pid"), owner);
    pictures[Symbol.dispose]();
    for (const fault of await Promise.all(runs)) assert.match(fault.message, /shutting down/);
  });

  it("prefer clients with the least work so far, among owners and among visitors", async (t) => {
    const pictures = open(t, {}, 300);
    for (const kind of ["owner", "visitor"] as const) {
      const order: string[] = [];
      const run = (path: string, ...of: string[]) =>
        pictures.run(ask(path), { kind, keys: of.map((one) => `${kind} ${one}`) }).then(
          () => order.push(of.join()),
          () => order.push(of.join()),
        );
      const slow = [
        run("hang", "slow", "one"),
        run("hang", "slow", "two"),
        run("hang", "x", "one"),
      ];
      await Promise.all([...slow, run("pid", "other", "three"), run("pid", "another", "four")]);
      assert.deepEqual(order, ["slow,one", "other,three", "another,four", "slow,two", "x,one"]);
    }
  });

  it("cancel abandoned tasks: waiting ones immediately, running ones after the grace period", async (t) => {
    const pictures = open(t, { graceMs: 100 });
    const gone = [new AbortController(), new AbortController()] as const;
    const [running, waiting] = gone.map(({ signal }) =>
      faultOf(pictures.run(ask("hang"), { ...visitor, signal })),
    );
    gone[1].abort();
    assert.match((await waiting)?.message ?? "", /no longer waits/);
    gone[0].abort();
    assert.match((await running)?.message ?? "", /no longer waits/);
    assert.ok(await pictures.run(ask("pid"), visitor));
    const late = pictures.run(ask("pid"), { ...visitor, signal: gone[0].signal });
    assert.match((await faultOf(late)).message, /no longer waits/);
  });

  it("read only the formats that may be uploaded", async (t) => {
    const folder = await mkdtemp(join(tmpdir(), "avow-pool-"));
    t.after(() => rm(folder, { recursive: true }));
    const picture = sharp({ create: { width: 4, height: 4, channels: 3, background: "#123" } });
    const path = join(folder, "a.png");
    await picture.tiff().toFile(path);
    const pictures = openPictures();
    t.after(() => pictures[Symbol.dispose]());
    const task: Task = {
      kind: "render",
      path,
      out: join(folder, "out.png"),
      type: "image/png",
      spec: { ...spec, width: 4, height: 4, how: "stretch" },
    };
    await assert.rejects(pictures.run(task, owner), /unsupported image format|not a known/i);
  });
});

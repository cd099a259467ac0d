import assert from "node:assert/strict";
import cluster from "node:cluster";
import { type TestContext, suite, test } from "node:test";
import { fileURLToPath } from "node:url";
import {
  type Supervisor,
  openSupervisor,
} from "../../../packages/server/platform/workers/supervisor.ts";

type Script = "serve" | "crash" | "fail" | "hang";

/** Supervises scripted workers; `scripts` are those of the starts in order, the last one for all further ones. */
function supervise(t: TestContext, count: number, scripts: readonly Script[]) {
  const exec = fileURLToPath(new URL("./scripted-worker.ts", import.meta.url));
  cluster.setupPrimary({ exec, args: [] });
  const started: Script[] = [];
  const errors: string[] = [];
  const supervisor: Supervisor = openSupervisor({
    count,
    stopTimeoutMs: 500,
    readOwnMetrics: () => Promise.resolve([]),
    toDelayMs: () => 0,
    log: {
      info: () => undefined,
      warn: () => undefined,
      error: (...given: unknown[]) => void errors.push(String(given.at(-1))),
    },
    toPlan(number) {
      const script = scripts[started.length] ?? scripts.at(-1) ?? "serve";
      started.push(script);
      return {
        number,
        count,
        hasBackgroundWork: number === 1,
        port: 1,
        databaseUrl: script,
        version: "1",
        startedAtMs: 0,
      };
    },
  });
  t.after(() => supervisor.stop());
  return { supervisor, started, errors };
}

const listPids = () =>
  Object.values(cluster.workers ?? {}).flatMap((worker) => worker?.process.pid ?? []);

suite("a supervisor", () => {
  test("ends after ten failed replacements, with the worker's reason", async (t) => {
    const { supervisor, started } = supervise(t, 1, ["crash", "fail"]);
    await supervisor.start();
    assert.equal((await supervisor.lost).message, "There is no database.");
    assert.equal(started.length, 11);
  });

  test("ends after ten workers that exit right after their start", async (t) => {
    const { supervisor, started } = supervise(t, 1, ["crash"]);
    await supervisor.start();
    assert.match((await supervisor.lost).message, /Worker 1 exits right after its start/);
    assert.equal(started.length, 11);
  });

  test("throws the reason of a worker that fails at the first start", async (t) => {
    const { supervisor } = supervise(t, 2, ["serve", "fail"]);
    await assert.rejects(supervisor.start(), { message: "There is no database." });
  });

  test("keeps the workers that run when a replacement fails", async (t) => {
    const { supervisor, errors } = supervise(t, 2, ["serve", "serve", "fail"]);
    await supervisor.start();
    const before = listPids();
    await supervisor.restart();
    assert.deepEqual(listPids(), before);
    assert.deepEqual(errors, ["restart cancelled, the other workers keep running"]);
  });

  test("replaces each worker at a restart", async (t) => {
    const { supervisor, started } = supervise(t, 3, ["serve"]);
    await supervisor.start();
    const before = listPids();
    await supervisor.restart();
    assert.equal(started.length, 6);
    assert.equal(listPids().length, 3);
    assert.ok(listPids().every((pid) => !before.includes(pid)));
    assert.equal(await supervisor.stop(), true);
  });

  test("kills a worker that does not stop in time, and reports it", async (t) => {
    const { supervisor } = supervise(t, 2, ["serve", "hang"]);
    await supervisor.start();
    assert.equal(await supervisor.stop(), false);
    assert.deepEqual(listPids(), []);
  });
});

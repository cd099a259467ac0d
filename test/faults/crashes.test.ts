import assert from "node:assert/strict";
import { readdir } from "node:fs/promises";
import { suite, test } from "node:test";
import { assertKept, signIn, signUp, skip, stop, waitForFirstFiles } from "./lifecycle/checks.ts";
import {
  listProcesses,
  openDataFolder,
  readServerPid,
  startService,
  waitFor,
} from "./lifecycle/process.ts";

suite("crash recovery", { skip }, () => {
  test("stops the orphaned database and has every record after a crash of the service", async (t) => {
    const dataDir = await openDataFolder(t);
    const service = startService(dataDir);
    assert.equal(await signUp(await service.address()), 200);
    const orphan = await readServerPid(dataDir);
    service.kill("SIGKILL");
    await service.ended;
    assert.ok(process.kill(orphan, 0));
    await assertKept(dataDir);
  });

  test("logs a crash of the database, restarts it and has every record", async (t) => {
    const dataDir = await openDataFolder(t);
    const service = startService(dataDir);
    const address = await service.address();
    assert.equal(await signUp(address), 200);
    const killed = await readServerPid(dataDir);
    process.kill(killed, "SIGKILL");
    await waitFor(
      "the database",
      () => /embedded database restarted/.exec(service.output()) ?? undefined,
    );
    assert.match(service.output(), /embedded database exited, restarting/);
    assert.notEqual(await readServerPid(dataDir), killed);
    assert.equal(await signIn(address), 200);
    await stop(service);
    await assertKept(dataDir);
  });

  test("shuts down cleanly and leaves no process when the database crashes during a stop", async (t) => {
    const dataDir = await openDataFolder(t);
    const service = startService(dataDir);
    assert.equal(await signUp(await service.address()), 200);
    process.kill(await readServerPid(dataDir), "SIGKILL");
    await waitFor("the crash", () => /exited, restarting/.exec(service.output()) ?? undefined);
    await stop(service);
    assert.deepEqual(await listProcesses(dataDir), []);
    await assertKept(dataDir);
  });

  test("has every record after a crash of both", async (t) => {
    const dataDir = await openDataFolder(t);
    const service = startService(dataDir);
    assert.equal(await signUp(await service.address()), 200);
    process.kill(await readServerPid(dataDir), "SIGKILL");
    service.kill("SIGKILL");
    await service.ended;
    await assertKept(dataDir);
  });

  test("begins again after a crash during the first start", async (t) => {
    const dataDir = await openDataFolder(t);
    const killed = startService(dataDir);
    await waitForFirstFiles(dataDir);
    killed.kill("SIGKILL");
    await killed.ended;
    const service = startService(dataDir);
    assert.equal(await signUp(await service.address()), 200);
    await stop(service);
    assert.ok(!(await readdir(dataDir)).some((name) => name.startsWith("postgres.new-")));
  });
});

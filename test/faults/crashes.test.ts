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

suite("after a crash", { skip }, () => {
  test("of the service, the next start stops the database left behind and has every record", async (t) => {
    const dataDir = await openDataFolder(t);
    const service = startService(dataDir);
    assert.equal(await signUp(await service.address()), 200);
    const orphan = await readServerPid(dataDir);
    service.kill("SIGKILL");
    await service.ended;
    assert.ok(process.kill(orphan, 0));
    await assertKept(dataDir);
  });

  test("of the database, the service says so, starts it again and has every record", async (t) => {
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

  test("of the database at the moment of a stop, the service ends in order and leaves nobody", async (t) => {
    const dataDir = await openDataFolder(t);
    const service = startService(dataDir);
    assert.equal(await signUp(await service.address()), 200);
    process.kill(await readServerPid(dataDir), "SIGKILL");
    await waitFor("the crash", () => /exited, restarting/.exec(service.output()) ?? undefined);
    await stop(service);
    assert.deepEqual(await listProcesses(dataDir), []);
    await assertKept(dataDir);
  });

  test("of both, the next start has every record", async (t) => {
    const dataDir = await openDataFolder(t);
    const service = startService(dataDir);
    assert.equal(await signUp(await service.address()), 200);
    process.kill(await readServerPid(dataDir), "SIGKILL");
    service.kill("SIGKILL");
    await service.ended;
    await assertKept(dataDir);
  });

  test("in the middle of the first start, the next start begins again", async (t) => {
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

import assert from "node:assert/strict";
import { readdir } from "node:fs/promises";
import { suite, test } from "node:test";
import { assertKept, signUp, skip, stop, waitForFirstFiles } from "../lifecycle/checks.ts";
import { openDataFolder, readServerPid, startService } from "../lifecycle/process.ts";

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

  test("of the database, the service says so and ends, and the next start has every record", async (t) => {
    const dataDir = await openDataFolder(t);
    const service = startService(dataDir);
    assert.equal(await signUp(await service.address()), 200);
    process.kill(await readServerPid(dataDir), "SIGKILL");
    const { code, output } = await service.ended;
    assert.equal(code, 1);
    assert.match(output, /The embedded database ended by itself\. Start again: it recovers\./);
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

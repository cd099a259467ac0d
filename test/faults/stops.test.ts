import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { suite, test } from "node:test";
import { assertKept, signUp, skip } from "./lifecycle/checks.ts";
import { listProcesses, openDataFolder, startService, waitFor } from "./lifecycle/process.ts";
import { openUpload } from "./lifecycle/upload.ts";

const launcher = [process.execPath, "scripts/run.mjs"];

suite("an unclean stop", { skip }, () => {
  test("exits at once on a second signal after a second", async (t) => {
    const dataDir = await openDataFolder(t);
    const service = startService(dataDir);
    const upload = await openUpload(`${await service.address()}/v1/auth/local/signup`);
    upload.status.catch(() => undefined);
    const timer = setInterval(() => service.kill("SIGTERM"), 50);
    const { code, output } = await service.ended;
    clearInterval(timer);
    assert.equal(code, 143, output);
    await waitFor("the database's end", async () => {
      return (await listProcesses(dataDir)).length === 0 ? true : undefined;
    });
  });

  test("stops the service and its database when the launcher is killed", async (t) => {
    const dataDir = await openDataFolder(t);
    const started = startService(dataDir, {}, [...launcher, "packages/server/main.ts"]);
    assert.equal(await signUp(await started.address()), 200);
    started.kill("SIGKILL");
    await waitForNobody(dataDir);
    assert.match(started.output(), /the launcher is gone.*"msg":"stopped"/s);
    await assertKept(dataDir);
  });

  test("stops the service when the demo that started it is killed", async (t) => {
    const dataDir = await openDataFolder(t);
    const demo = startService(dataDir, {}, [process.execPath, "packages/lab/demo/main.ts"]);
    await waitFor(
      "the demo",
      () => /The service keeps running at/.exec(demo.output()) ?? undefined,
    );
    await readFile(join(dataDir, "service.pid"));
    demo.kill("SIGKILL");
    await waitForNobody(dataDir);
    await assert.rejects(readFile(join(dataDir, "service.pid")), { code: "ENOENT" });
  });
});

async function waitForNobody(dataDir: string): Promise<void> {
  await waitFor("every process's end", async () => {
    return (await listProcesses(dataDir)).length === 0 ? true : undefined;
  });
}

import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { skip, stop } from "../lifecycle/checks.ts";
import {
  listProcesses,
  openDataFolder,
  readServerPid,
  startService,
  waitFor,
} from "../lifecycle/process.ts";
import { startLoad } from "./load.ts";
import { assertLog, watchLog } from "./log.ts";
import { openSite, publish } from "./site.ts";
import { assertStored } from "./stored.ts";

const TOTAL = 20_000;

suite("20,000 consents that are retried until they are answered", { skip }, () => {
  test("are stored and logged exactly once when acknowledged, though the service is killed twice", async (t) => {
    const dataDir = await openDataFolder(t);
    let service = startService(dataDir);
    const site = await openSite(await service.address());
    const watch = watchLog(t, site);
    const load = startLoad(t, site, TOTAL);
    for (const count of [TOTAL * 0.3, TOTAL * 0.7]) {
      await load.reached(count);
      service.kill("SIGKILL");
      await service.ended;
      service = startService(dataDir, { PORT: new URL(site.address).port });
    }
    await load.done;
    assert.ok(load.acknowledged.size > TOTAL * 0.95, `${load.acknowledged.size}`);
    const consents = await assertStored(site, load);
    await assertLog(site, watch, { consents, publications: 1 });
    await stop(service);
  });

  test("are stored and logged exactly once when acknowledged, though the database is killed twice", async (t) => {
    const dataDir = await openDataFolder(t);
    const service = startService(dataDir);
    const site = await openSite(await service.address());
    const watch = watchLog(t, site);
    const load = startLoad(t, site, TOTAL);
    await load.reached(TOTAL * 0.3);
    process.kill(await readServerPid(dataDir), "SIGKILL");
    await load.reached(TOTAL * 0.7);
    const ours = await listProcesses(dataDir);
    killAll(ours.filter((pid) => pid !== service.pid));
    await load.done;
    assert.ok(load.refused.count > 0, "requests during the outage were answered 503");
    assert.ok(load.acknowledged.size > TOTAL * 0.95, `${load.acknowledged.size}`);
    const consents = await assertStored(site, load);
    await assertLog(site, watch, { consents, publications: 1 });
    assert.equal(service.output().match(/embedded database restarted/g)?.length, 2);
    // Jobs resume too.
    await publish(site);
    await stop(service);
    await waitFor("every process's end", async () =>
      (await listProcesses(dataDir)).length === 0 ? true : undefined,
    );
  });
});

test(
  "everything acknowledged is stored when the service is stopped under load",
  { skip },
  async (t) => {
    const dataDir = await openDataFolder(t);
    const service = startService(dataDir);
    const site = await openSite(await service.address());
    const load = startLoad(t, site, TOTAL);
    await load.reached(TOTAL * 0.1);
    await stop(service);
    load.stop();
    await load.done;
    assert.ok(load.sent.size < TOTAL, "the load was in progress");
    const next = startService(dataDir, { PORT: new URL(site.address).port });
    await next.address();
    await assertStored(site, load);
    await stop(next);
  },
);

/** Some exit by themselves when the first one does. */
function killAll(pids: readonly number[]): void {
  for (const pid of pids) {
    try {
      process.kill(pid, "SIGKILL");
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
    }
  }
}

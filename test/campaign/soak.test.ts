// Collects consents for CAMPAIGN_MINUTES while the service and its database are killed at random moments.
import assert from "node:assert/strict";
import { test } from "node:test";
import { startLoad } from "../faults/durability/load.ts";
import { assertLog, watchLog } from "../faults/durability/log.ts";
import { openSite } from "../faults/durability/site.ts";
import { assertStored } from "../faults/durability/stored.ts";
import { skip, stop } from "../faults/lifecycle/checks.ts";
import { openDataFolder, readServerPid, startService } from "../faults/lifecycle/process.ts";

const MINUTE_MS = 60_000;
const MINUTES = Number(process.env["CAMPAIGN_MINUTES"] ?? 60);
const CONSENTS_PER_ROUND = 20_000;
/** A round may exceed the time, and the log is then read to its end. */
const timeout = (MINUTES + 20) * MINUTE_MS;

test(
  `stores and logs every acknowledged consent once through ${MINUTES} minutes of kills`,
  { skip, timeout },
  async (t) => {
    const dataDir = await openDataFolder(t);
    let service = startService(dataDir);
    const address = await service.address();
    const watch = watchLog(t, { address });
    const endsAt = Date.now() + MINUTES * MINUTE_MS;
    const kills = { service: 0, database: 0 };
    let consents = 0;
    let rounds = 0;
    do {
      const site = await openSite(address);
      const load = startLoad(t, site, CONSENTS_PER_ROUND);
      await load.reached(CONSENTS_PER_ROUND * (0.1 + 0.8 * Math.random()));
      if (Math.random() < 0.5) {
        kills.service += 1;
        service.kill("SIGKILL");
        await service.ended;
        service = startService(dataDir, { PORT: new URL(address).port });
      } else {
        kills.database += 1;
        process.kill(await readServerPid(dataDir), "SIGKILL");
      }
      await load.done;
      consents += await assertStored(site, load);
      rounds += 1;
      t.diagnostic(`${rounds} rounds, ${consents} consents, kills: ${JSON.stringify(kills)}`);
    } while (Date.now() < endsAt);
    await assertLog({ address }, watch, {
      consents,
      publications: rounds,
    });
    assert.ok(consents >= rounds * CONSENTS_PER_ROUND * 0.95);
    await stop(service);
  },
);

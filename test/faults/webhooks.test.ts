import assert from "node:assert/strict";
import { join } from "node:path";
import { suite, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { openChild } from "../../packages/lab/bench/measure/children.ts";
import {
  type Kind,
  collect,
  listMissing,
  makeEndpoints,
  readReport,
  signUp,
  toKinds,
} from "../../packages/lab/bench/webhooks/endpoints.ts";
import { root } from "../../packages/lab/instance/service.ts";
import { createClient } from "../../packages/lab/instance/requests.ts";
import { skip, stop } from "./lifecycle/checks.ts";
import { openDataFolder, startService } from "./lifecycle/process.ts";

const ENDPOINTS = 100;
const VISITORS = 10;
const WAVE = 40;
const WAVES = 3;
const KILL_AFTER_MS = 700;
const WAIT_MS_MAX = 200_000;
const settings = { WEBHOOKS_ALLOWED_NETWORKS: "127.0.0.0/8" };

suite("webhooks", { skip }, () => {
  test(
    "deliver all of 12,000 consents in order to healthy and flapping endpoints out of 100, despite dead and slow ones and two kills of the service",
    { timeout: 400_000 },
    async (t) => {
      const dataDir = await openDataFolder(t);
      await using receiver = await openChild(join(root, "packages/lab/bench/webhooks/receiver.ts"));
      let service = startService(dataDir, settings);
      const address = await service.address();
      const client = await signUp(createClient(address));
      const kinds = toKinds(ENDPOINTS);
      const endpoints = await makeEndpoints(client, { kinds, receiver: receiver.url });
      for (let wave = 1; wave <= WAVES; wave += 1) {
        await Promise.all(
          endpoints.map((endpoint) =>
            collect(client, endpoint, { count: WAVE, visitors: VISITORS }),
          ),
        );
        if (wave === WAVES) break;
        await delay(KILL_AFTER_MS);
        service.kill("SIGKILL");
        await service.ended;
        service = startService(dataDir, { ...settings, PORT: new URL(address).port });
        await service.address();
      }
      const of = (...names: Kind[]) => endpoints.filter(({ kind }) => names.includes(kind));
      assert.deepEqual([of("healthy").length, of("dead").length, of("slow").length], [70, 10, 10]);
      const awaited = of("healthy", "flapping");
      const until = performance.now() + WAIT_MS_MAX;
      for (;;) {
        const missing = await listMissing(receiver.url, awaited);
        if (Object.keys(missing).length === 0) break;
        const paths = Object.entries(missing).map(([path, { length }]) => `${path}: ${length}`);
        assert.ok(performance.now() < until, `deliveries are missing: ${paths.join()}`);
        await delay(250);
      }
      const slow = of("slow");
      const left = await listMissing(receiver.url, slow);
      for (const { path, collected } of slow)
        assert.ok((left[path]?.length ?? 0) < collected.length, `${path} got some`);
      const { duplicates, renamed, disordered, counts } = await readReport(receiver.url);
      assert.deepEqual([renamed, disordered], [0, 0]);
      assert.equal(counts["healthy"], 70 * WAVE * WAVES);
      t.diagnostic(`${duplicates} deliveries were repeated, with the same webhook-id`);
      await stop(service);
    },
  );
});

import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { skip, stop } from "../lifecycle/checks.ts";
import { openDataFolder, startService } from "../lifecycle/process.ts";
import { type Taken, collectMany, makeEndpoints, openReceivers } from "./webhook-world.ts";

const counts = { healthy: 70, dead: 10, slow: 10, flapping: 10 };
const TOKENS = 10;
const WAVE = 20;
const WAVES = 3;
const KILL_AFTER_MS = 700;
const WAIT_MS_MAX = 150_000;
const settings = { WEBHOOKS_ALLOWED_NETWORKS: "127.0.0.0/8" };

suite("webhooks", { skip }, () => {
  test(
    "the healthy and the flapping ones of 100 get everything, in order for each token, though others are dead or slow and the service is killed twice",
    { timeout: 300_000 },
    async (t) => {
      const dataDir = await openDataFolder(t);
      using receivers = await openReceivers();
      let service = startService(dataDir, settings);
      const address = await service.address();
      const { endpoints } = await makeEndpoints(address, receivers.url, counts);
      const sent = new Map<string, string[]>();
      for (let wave = 1; wave <= WAVES; wave += 1) {
        await Promise.all(
          endpoints.map(async (endpoint) => {
            const options = { count: WAVE, tokens: TOKENS, name: `wave-${wave}` };
            const ids = await collectMany(address, endpoint, options);
            assert.equal(ids.length, WAVE);
            sent.set(endpoint.path, [...(sent.get(endpoint.path) ?? []), ...ids]);
          }),
        );
        if (wave === WAVES) break;
        await delay(KILL_AFTER_MS);
        service.kill("SIGKILL");
        await service.ended;
        service = startService(dataDir, { ...settings, PORT: new URL(address).port });
        await service.address();
      }
      const awaited = endpoints.filter(({ kind }) => kind === "healthy" || kind === "flapping");
      const until = performance.now() + WAIT_MS_MAX;
      const isMissing = ({ path }: { path: string }) =>
        (receivers.taken.get(path)?.length ?? 0) < WAVE * WAVES;
      while (awaited.some(isMissing)) {
        const missing = awaited.filter(isMissing).map(({ path }) => path);
        assert.ok(performance.now() < until, `not all was delivered: ${missing.join()}`);
        await delay(100);
      }
      for (const { path } of awaited) {
        const taken = receivers.taken.get(path) ?? [];
        assert.deepEqual(
          taken.map(({ consentId }) => consentId).toSorted(),
          sent.get(path)?.toSorted(),
        );
        assertInOrder(path, taken);
      }
      for (const { path } of endpoints.filter(({ kind }) => kind === "slow")) {
        const taken = receivers.taken.get(path) ?? [];
        assert.ok(taken.length > 0, `${path} got some`);
        assertInOrder(path, taken);
      }
      t.diagnostic(`${receivers.repeated()} deliveries came twice, with the same webhook-id`);
      await stop(service);
    },
  );
});

/** Ids of consents sort by time. */
function assertInOrder(path: string, taken: readonly Taken[]): void {
  for (const [token, own] of Map.groupBy(taken, (one) => one.token)) {
    const ids = own.map(({ consentId }) => consentId);
    assert.deepEqual(ids, ids.toSorted(), `${path}, ${token}`);
  }
}

import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { runProgram } from "../command.ts";
import { stop } from "./lifecycle/checks.ts";
import { openDataFolder, startService } from "./lifecycle/process.ts";
import { openSpreader } from "./workers/spreader.ts";

const suite = join(import.meta.dirname, "../conformance/main.ts");
/** Requests that each worker answers at least, of more than a thousand. */
const SHARE_MIN = 50;
/** The webhooks of the suite go to this machine. */
const settings = { WEBHOOKS_ALLOWED_NETWORKS: "127.0.0.0/8" };

async function assertConforms(address: string): Promise<void> {
  const { code, out, err } = await runProgram(suite, ["--base-url", address, "--login", address]);
  assert.equal(code, 0, out + err);
  assert.match(out, /^total +\d{3} +0 /m, out);
}

test("a fresh service passes the conformance suite", async (t) => {
  const service = startService(await openDataFolder(t), settings);
  await assertConforms(await service.address());
  await stop(service);
});

/** Each worker has caches of its own, on which no answer may depend. */
test("three workers pass the conformance suite together", async (t) => {
  const spreader = await openSpreader(t);
  const workers = { WORKERS: "3", PUBLIC_URL: spreader.url, LOG_LEVEL: "debug" };
  const service = startService(await openDataFolder(t), { ...settings, ...workers });
  spreader.forwardTo(await service.address());
  await assertConforms(spreader.url);
  const output = service.output();
  for (const worker of [1, 2, 3]) {
    const requests = output.match(new RegExp(`"worker":${worker},.*"msg":"request"`, "g")) ?? [];
    assert.ok(requests.length > SHARE_MIN, `worker ${worker} answered ${requests.length} requests`);
  }
  await stop(service);
});

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { test } from "node:test";
import { openDataFolder, startService } from "./lifecycle/process.ts";
import { stop } from "./lifecycle/checks.ts";

const suite = join(import.meta.dirname, "../conformance/main.ts");
/** Cases that a fresh service cannot run, each with the reason. */
const skips = [
  /exposes page headers to browsers/, // The suite runs in no browser of a configured origin.
  /rejects private addresses/, // They are allowed for the receiver of the suite.
];

test("a fresh service conforms to its interface specification", async (t) => {
  const service = startService(await openDataFolder(t), {
    WEBHOOKS_ALLOWED_NETWORKS: "127.0.0.0/8",
  });
  const address = await service.address();
  const child = spawn(process.execPath, [suite, "--base-url", address, "--json"], {
    stdio: ["ignore", "pipe", "inherit"],
    signal: t.signal,
  });
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (output += text));
  const [status] = (await once(child, "close")) as [number | null];
  const { results } = JSON.parse(output) as {
    results: { section: string; name: string; outcome: string; reason?: string }[];
  };
  const list = (outcome: string) => results.filter((result) => result.outcome === outcome);
  for (const { section, name, reason } of list("failed"))
    t.diagnostic(`${section}: ${name}\n${reason ?? ""}`);
  assert.deepEqual(
    list("failed").map(({ section, name }) => `${section}: ${name}`),
    [],
  );
  const unexpected = list("skipped").filter(({ name }) => !skips.some((skip) => skip.test(name)));
  assert.deepEqual(unexpected, [], "skipped cases");
  assert.ok(list("passed").length > 150, "cases that passed");
  assert.equal(status, 0);
  await stop(service);
});

import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { runProgram } from "../command.ts";
import { stop } from "./lifecycle/checks.ts";
import { openDataFolder, startService } from "./lifecycle/process.ts";

const suite = join(import.meta.dirname, "../conformance/main.ts");
/** The webhooks of the suite go to this machine. */
const settings = { WEBHOOKS_ALLOWED_NETWORKS: "127.0.0.0/8" };

test("a fresh service passes the conformance suite", async (t) => {
  const service = startService(await openDataFolder(t), settings);
  const address = await service.address();
  const { code, out, err } = await runProgram(suite, ["--base-url", address, "--login", address]);
  assert.equal(code, 0, out + err);
  assert.match(out, /^total +\d{3} +0 /m, out);
  await stop(service);
});

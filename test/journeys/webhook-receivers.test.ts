import assert from "node:assert/strict";
import { execFile, execFileSync, spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { promisify } from "node:util";
import { hrefOf, paths } from "@avow/contract/urls";
import { service } from "../harness.ts";
import { listDeliveries, newWebhook, waitUntil } from "../interface/webhooks.ts";
import { openReceiver } from "../stand-ins/receiver.ts";

const { fetch: send, newUser } = service;
const examples = join(import.meta.dirname, "..", "..", "examples");
const folder = await mkdtemp(join(tmpdir(), "avow-webhook-"));
after(() => rm(folder, { recursive: true, force: true }));
const test = (token: string, id: string) =>
  send(hrefOf("", paths.webhookTest, { id }), { method: "POST", token });

function hasOpenssl(): boolean {
  try {
    return /^OpenSSL [3-9]/.test(execFileSync("openssl", ["version"], { encoding: "utf8" }));
  } catch {
    return false;
  }
}
const skip = !hasOpenssl() && "openssl 3 is not installed";

describe("the examples of docs/guides/receive-webhooks.md", () => {
  it("receive with standardwebhooks, process each event once, and reject forged ones", async () => {
    const { token } = await newUser();
    // The secret is known only after the address is, so a stand-in's URL is used first.
    const hook = await newWebhook(token, {
      url: "http://127.0.0.1:9/",
      events: ["project.created"],
    });
    const child = spawn(process.execPath, [join(examples, "webhook-receiver.mjs")], {
      env: { AVOW_WEBHOOK_SECRET: hook.secret, PORT: "0" },
      stdio: ["ignore", "pipe", "inherit"],
    });
    let output = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => (output += text));
    try {
      const read = async () => output;
      await waitUntil(read, (text) => text.includes("Listening on"));
      const url = /http:\S+/.exec(output)?.[0] ?? "";
      const self = hrefOf("", paths.webhook, { id: hook.id });
      assert.equal((await send(self, { method: "PATCH", token, json: { url } })).status, 200);
      const { body: made } = await test(token, hook.id);
      await waitUntil(read, (text) => text.includes("webhook.test"));
      const done = await waitUntil(
        () => listDeliveries(token, hook.id),
        ([one]) => one?.status === "delivered",
      );
      assert.equal(done[0].tried.at(-1).status, 204);
      await send(new URL(made.links.retry).pathname, { method: "POST", token });
      await waitUntil(
        () => listDeliveries(token, hook.id),
        ([one]) => one?.status === "delivered" && one.tried.length === 2,
      );
      assert.equal(output.match(/webhook\.test/g)?.length, 1, output);
      const headers = {
        "webhook-id": "msg_1",
        "webhook-timestamp": String(Math.floor(Date.now() / 1_000)),
        "webhook-signature": `v1,${Buffer.alloc(32).toString("base64")}`,
      };
      const forged = await fetch(url, { method: "POST", body: "{}", headers });
      assert.equal(forged.status, 400);
    } finally {
      child.kill();
    }
  });

  it("verify by hand with openssl, by the secret and by the public key", { skip }, async () => {
    const { token } = await newUser();
    await using receiver = await openReceiver();
    const url = `${receiver.url}/by-hand`;
    const hook = await newWebhook(token, { url, events: ["project.created"] });
    const other = await newWebhook(token, { url, events: ["project.created"] });
    const rotate = { method: "POST", token };
    const { body: rotated } = await send(hrefOf("", paths.webhookKey, { id: hook.id }), rotate);
    await test(token, hook.id);
    const [one] = await receiver.waitFor(1);
    assert.ok(one);
    const { headers } = one;
    const check = async (key: string, { text = one.text, time = headers["webhook-timestamp"] }) => {
      const file = join(folder, "body");
      await writeFile(file, text);
      const signatureArgs = [headers["webhook-id"], time, headers["webhook-signature"], key].map(
        String,
      );
      try {
        const args = [join(examples, "verify-webhook.sh"), file, ...signatureArgs];
        return (await promisify(execFile)("sh", args, { timeout: 60_000 })).stdout;
      } catch (error) {
        const { code, stderr } = error as { code: unknown; stderr: string };
        assert.equal(code, 1, stderr);
        return stderr;
      }
    };
    for (const [own, others] of [
      [hook.secret, other.secret],
      [hook.publicKey, other.publicKey],
      [rotated.publicKey, other.publicKey],
    ]) {
      assert.match(await check(own, {}), /^HOLDS: signed \d+ seconds ago$/m);
      assert.match(await check(others, {}), /^FAILS: .*(secret|key)$/m);
      assert.match(await check(own, { text: `${one.text} ` }), /^FAILS/m);
      assert.match(await check(own, { time: "1700000000" }), /^FAILS/m);
    }
    assert.match(await check("secret", {}), /KEY must begin with whsec_ or whpk_/);
  });
});

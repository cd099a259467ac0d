import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { it } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { service } from "../harness.ts";
import { getFile, newSite, publishAndWait } from "./publishing.ts";

const DEADLINE_MS = 60_000;

it("logs the served widget; its bytes stay readable under its hash, and publications name it", async () => {
  const text = (await service.fetch("/widget.js")).body;
  const hash = createHash("sha256").update(text).digest("hex");
  const { record, salt, index } = await waitForEntry(hash);
  assert.equal(record.type, "widget");
  assert.equal(record.size, Buffer.byteLength(text));
  assert.equal(Buffer.from(salt, "base64").length, 32);
  assert.ok(Number.isInteger(index));
  const kept = await service.fetch(`${service.config.cdnUrl}/${record.file}`);
  assert.equal(kept.body, text);
  assert.match(kept.headers.get("cache-control") ?? "", /immutable/);
  const { token, project } = await newSite();
  await publishAndWait(token, project.id);
  const { body: file } = await getFile(project.id);
  assert.equal(file.widget.hash, hash);
});

it("serves the widget compressed on request, and returns 304 while it is unchanged", async () => {
  const plain = await service.fetch("/widget.js", { headers: { "accept-encoding": "identity" } });
  assert.equal(plain.headers.get("content-encoding"), null);
  assert.equal(plain.headers.get("access-control-allow-origin"), "*");
  assert.equal(plain.headers.get("cross-origin-resource-policy"), "cross-origin");
  for (const coding of ["br", "gzip"]) {
    const headers = { "accept-encoding": coding };
    const answer = await service.fetch(`${service.url}/widget.js`, { headers });
    assert.equal(answer.headers.get("content-encoding"), coding);
    assert.equal(answer.body, plain.body);
    const etag = answer.headers.get("etag") ?? "";
    assert.notEqual(etag, plain.headers.get("etag"));
    const again = { headers: { ...headers, "if-none-match": etag } };
    assert.equal((await service.fetch("/widget.js", again)).status, 304);
  }
});

/** The sequencer appends it within a second or two. */
async function waitForEntry(hash: string) {
  for (const endsAt = Date.now() + DEADLINE_MS; ; await delay(50)) {
    const { body } = await service.fetch("/log/widgets");
    const found = body.find((one: { record: { hash: string } }) => one.record.hash === hash);
    if (found) return found;
    assert.ok(Date.now() < endsAt, "the widget is not in the log");
  }
}

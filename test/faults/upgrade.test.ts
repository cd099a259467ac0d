import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { brotliDecompressSync } from "node:zlib";
import { runAvow } from "../command.ts";
import { stop } from "./lifecycle/checks.ts";
import { openDataFolder, startService, waitFor } from "./lifecycle/process.ts";

/** Responses of the version that wrote the folder, each text by its path; `upgrade/fill.ts` writes them. */
interface Answers {
  email: string;
  password: string;
  key: string;
  project: string;
  cookies: string;
  newsletter: string;
  answers: Record<string, string>;
  proofs: string[];
  checkpoint: string;
}

interface Bundle {
  keys: string[];
  consent: { record: { consentId: string }; proof: string };
}

const fixture = join(import.meta.dirname, "upgrade");
const answers = JSON.parse(await readFile(join(fixture, "answers.json"), "utf8")) as Answers;
/** Proofs are kept for longer than this test will live. */
const settings = { PUBLIC_URL: "https://consent.example", RETENTION_MONTHS: "1200" };
const skip =
  process.platform === "linux" && process.arch === "x64"
    ? false
    : "the folder holds a database cluster of Linux on x64";

async function unpackDataFolder(t: TestContext): Promise<string> {
  const folder = await openDataFolder(t, "data");
  await mkdir(folder, { mode: 0o700 });
  const packed = await readFile(join(fixture, "data-folder.tar.br"));
  execFileSync("tar", ["-x", "--no-same-owner", "-C", folder], {
    input: brotliDecompressSync(packed),
  });
  return folder;
}

/** Asserts that `actual` has every field of `expected`, at any depth; it may have more. */
function assertContains(actual: unknown, expected: unknown, path: string): void {
  if (typeof expected !== "object" || expected === null)
    return assert.deepEqual(actual, expected, path);
  assert.ok(typeof actual === "object" && actual !== null, path);
  if (Array.isArray(expected)) assert.equal((actual as unknown[]).length, expected.length, path);
  for (const [name, value] of Object.entries(expected))
    assertContains((actual as Record<string, unknown>)[name], value, `${path}/${name}`);
}

test("serves the data folder of an older version unchanged", { skip }, async (t) => {
  const folder = await unpackDataFolder(t);
  const service = startService(folder, settings);
  const base = await service.address();
  const fetchText = async (path: string, token: string) => {
    const response = await fetch(base + path, { headers: { authorization: `Bearer ${token}` } });
    const text = await response.text();
    assert.equal(response.status, 200, `${path}: ${text}`);
    return text;
  };
  const post = async (path: string, body: unknown) => {
    const response = await fetch(base + path, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    return { status: response.status, json: (await response.json()) as Record<string, string> };
  };

  const { email, password, key } = answers;
  const { status, json } = await post("/v1/auth/local/signin", { username: email, password });
  assert.equal(status, 200);
  const token = json["token"] ?? "";

  for (const [path, text] of Object.entries(answers.answers)) {
    const now = await fetchText(path, token);
    if (!text.startsWith("{") && !text.startsWith("[")) assert.equal(now, text, path);
    else assertContains(JSON.parse(now), JSON.parse(text), path);
  }
  const consents = `/v1/app/consents/${answers.project}`;
  assert.equal(
    (JSON.parse(await fetchText(consents, key)) as unknown[]).length,
    answers.proofs.length,
  );

  // A new consent moves the log on, so that the old checkpoint is no longer the newest.
  const answer = { token: "visitor-2", accept: true };
  const collected = await post(`${consents}/processings/${answers.newsletter}`, answer);
  assert.equal(collected.status, 201);
  const sizeOf = (checkpoint: string) => Number(checkpoint.split("\n")[1]);
  const from = sizeOf(answers.checkpoint);
  await waitFor("the log", async () => {
    const size = sizeOf(await fetchText("/log/checkpoint", token));
    return size > from || undefined;
  });

  const logKey = join(folder, "log.pub");
  await writeFile(logKey, getLogKey(answers.proofs[0] ?? ""));
  const checkpoint = join(folder, "checkpoint");
  await writeFile(checkpoint, answers.checkpoint);
  const consistency = join(folder, "consistency.json");
  for (const old of answers.proofs) {
    const { consent } = JSON.parse(old) as Bundle;
    const now = await fetchText(`/v1/app/proofs/${consent.record.consentId}`, token);
    assertContains(
      (JSON.parse(now) as Bundle).consent.record,
      consent.record,
      consent.record.consentId,
    );
    const oldFile = join(folder, "old.json");
    await writeFile(oldFile, old);
    const newFile = join(folder, "new.json");
    await writeFile(newFile, now);
    const to = /log\n(\d+)\n/.exec((JSON.parse(now) as Bundle).consent.proof)?.[1] ?? "";
    const range = `/v1/app/proofs/${answers.project}/consistency?from=${from}&to=${to}`;
    await writeFile(consistency, await fetchText(range, token));
    const oldRun = await runAvow(["verify", oldFile, "--key", logKey]);
    assert.equal(oldRun.code, 0, oldRun.out + oldRun.err);
    const args = ["--key", logKey, "--checkpoint", checkpoint, "--consistency", consistency];
    const newRun = await runAvow(["verify", newFile, ...args]);
    assert.equal(newRun.code, 0, newRun.out + newRun.err);
  }
  await stop(service);
});

function getLogKey(proof: string): string {
  const { keys } = JSON.parse(proof) as Bundle;
  return keys[0] ?? "";
}

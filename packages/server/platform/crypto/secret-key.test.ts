import assert from "node:assert/strict";
import { mkdtemp, readFile, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { openSecretKey } from "./secret-key.ts";

async function newFolder(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "avow-secret-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

test("concurrent starts in a new folder share one secret, readable by its owner only", async (t) => {
  const dataDir = join(await newFolder(t), "data");
  const open = () => openSecretKey({ dataDir, secretKey: undefined });
  const secrets = await Promise.all(Array.from({ length: 16 }, open));
  assert.equal(new Set(secrets.map((secret) => secret.toString("hex"))).size, 1);
  assert.equal(secrets[0]?.length, 32);
  assert.deepEqual(await readdir(dataDir), ["secret.key"]);
  const file = join(dataDir, "secret.key");
  assert.deepEqual(await readFile(file), secrets[0]);
  assert.equal((await stat(file)).mode & 0o777, 0o600);
  assert.deepEqual(await open(), secrets[0], "the next start reads it");
});

test("another folder has another secret", async (t) => {
  const [one, two] = await Promise.all(
    [await newFolder(t), await newFolder(t)].map((dataDir) =>
      openSecretKey({ dataDir, secretKey: undefined }),
    ),
  );
  assert.notDeepEqual(one, two);
});

test("uses a configured secret and creates no file", async (t) => {
  const dataDir = await newFolder(t);
  const secretKey = "x".repeat(32);
  assert.equal((await openSecretKey({ dataDir, secretKey })).toString(), secretKey);
  assert.deepEqual(await readdir(dataDir), []);
});

test("fails the start for a truncated file, and does not replace it", async (t) => {
  const dataDir = await newFolder(t);
  const file = join(dataDir, "secret.key");
  await writeFile(file, "short");
  await assert.rejects(openSecretKey({ dataDir, secretKey: undefined }), {
    name: "StartError",
    message: /secret\.key has 5 bytes instead of 32/,
  });
  assert.equal(await readFile(file, "utf8"), "short");
});

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

test("many that start at once in a new folder have one secret, which only its owner reads", async (t) => {
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

test("a secret that is set is taken, and no file is made", async (t) => {
  const dataDir = await newFolder(t);
  const secretKey = "x".repeat(32);
  assert.equal((await openSecretKey({ dataDir, secretKey })).toString(), secretKey);
  assert.deepEqual(await readdir(dataDir), []);
});

test("a file that was cut stops the start instead of being taken or replaced", async (t) => {
  const dataDir = await newFolder(t);
  const file = join(dataDir, "secret.key");
  await writeFile(file, "short");
  await assert.rejects(openSecretKey({ dataDir, secretKey: undefined }), {
    name: "StartError",
    message: /secret\.key has to hold 32 bytes and holds 5/,
  });
  assert.equal(await readFile(file, "utf8"), "short");
});

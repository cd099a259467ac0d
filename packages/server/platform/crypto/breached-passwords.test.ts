import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { openBreachedPasswords } from "./breached-passwords.ts";
import { StartError } from "../start-error.ts";

const toHash = (password: string): string =>
  createHash("sha1").update(password).digest("hex").toUpperCase();

async function openFile(text: string) {
  const opened = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), "avow-breached-"));
  opened.defer(() => rm(folder, { recursive: true, force: true }));
  const path = join(folder, "pwned.txt");
  await writeFile(path, text);
  return { path, [Symbol.asyncDispose]: () => opened.disposeAsync() };
}

for (const [form, end] of [
  ["with counts and the line ends of Windows", ":12345\r\n"],
  ["with counts", ":1\n"],
  ["with hashes alone", "\n"],
] as const)
  for (const count of [1, 2, 90, 1_000])
    test(`finds each of ${count} passwords, ${form}`, async () => {
      const words = Array.from({ length: count }, (_, index) => `password ${index}`);
      const hashes = words.map(toHash).toSorted();
      await using file = await openFile(hashes.map((hash) => hash + end).join(""));
      await using breached = await openBreachedPasswords(file.path);
      for (const word of words) assert.equal(await breached.has(word), true, word);
      for (let index = 0; index < 100; index += 1)
        assert.equal(await breached.has(`another ${index}`), false);
    });

test("fails the start for a missing file and for another format", async () => {
  await using file = await openFile("hunter2\npassword\n");
  for (const path of [file.path, `${file.path}.nowhere`])
    await assert.rejects(
      openBreachedPasswords(path),
      (error) => error instanceof StartError && /PASSWORDS_BREACHED/.test(error.message),
    );
});

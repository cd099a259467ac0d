import assert from "node:assert/strict";
import { test } from "node:test";
import { parseOptions } from "@node-rs/argon2";
import { openPasswords, PasswordsBusyError } from "./passwords.ts";

const cheap = { memoryCostKib: 64, timeCost: 1, parallelism: 1 };

test("a password's hash is argon2id with 64 MiB, three passes and four lanes by default", async () => {
  const passwords = await openPasswords();
  const hash = await passwords.hash("correct horse");
  assert.match(hash, /^\$argon2id\$v=19\$/);
  const { memoryCost, timeCost, parallelism } = parseOptions(hash);
  assert.deepEqual(
    { memoryCost, timeCost, parallelism },
    { memoryCost: 65536, timeCost: 3, parallelism: 4 },
  );
  assert.equal(await passwords.verify(hash, "correct horse"), true);
  assert.equal(await passwords.verify(hash, "Correct horse"), false);
});

test("the same password never has the same hash", async () => {
  const passwords = await openPasswords(cheap);
  assert.notEqual(await passwords.hash("a"), await passwords.hash("a"));
});

test("an unknown user is refused after the same work as a wrong password", async () => {
  const passwords = await openPasswords();
  const hash = await passwords.hash("right");
  const unknown: number[] = [];
  const wrong: number[] = [];
  for (let round = 0; round < 7; round += 1) {
    unknown.push(
      await measureMs(async () => assert.equal(await passwords.verify(undefined, "x"), false)),
    );
    wrong.push(await measureMs(async () => assert.equal(await passwords.verify(hash, "x"), false)));
  }
  // The fastest rounds are the least disturbed; a check that skips the work would be 100 times faster.
  const ratio = Math.min(...unknown) / Math.min(...wrong);
  assert.ok(ratio > 0.4 && ratio < 2.5, `unknown/wrong took ${ratio.toFixed(2)} times as long`);
});

test("passwords beyond the queue are refused at once, and the others are all answered", async () => {
  const passwords = await openPasswords({ ...cheap, concurrencyMax: 2, waitingMax: 3 });
  const answers = await Promise.allSettled(
    Array.from({ length: 8 }, (_, index) => passwords.hash(`password ${index}`)),
  );
  assert.equal(answers.filter((answer) => answer.status === "fulfilled").length, 5);
  const refused = answers.filter((answer) => answer.status === "rejected");
  assert.equal(refused.length, 3);
  for (const answer of refused) assert.ok(answer.reason instanceof PasswordsBusyError);
  assert.match(await passwords.hash("afterwards"), /^\$argon2id\$/);
});

test("a hash that is no hash is an error, and gives its turn back", async () => {
  const passwords = await openPasswords({ ...cheap, concurrencyMax: 1, waitingMax: 0 });
  await assert.rejects(passwords.verify("not a hash", "x"));
  assert.equal(await passwords.verify(await passwords.hash("x"), "x"), true);
});

async function measureMs(work: () => Promise<void>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

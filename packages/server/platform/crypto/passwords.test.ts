import assert from "node:assert/strict";
import { test } from "node:test";
import { parseOptions } from "@node-rs/argon2";
import { openPasswords, PasswordsBusyError } from "./passwords.ts";

const cheap = { memoryCostKib: 64, timeCost: 1, parallelism: 1 };

test("hashes with argon2id, 64 MiB, three passes and four lanes by default", async () => {
  const passwords = await openPasswords();
  const hash = await passwords.hash("correct horse", "192.0.2.1");
  assert.match(hash, /^\$argon2id\$v=19\$/);
  const { memoryCost, timeCost, parallelism } = parseOptions(hash);
  assert.deepEqual(
    { memoryCost, timeCost, parallelism },
    { memoryCost: 65536, timeCost: 3, parallelism: 4 },
  );
  assert.equal(await passwords.verify(hash, "correct horse", "192.0.2.1"), true);
  assert.equal(await passwords.verify(hash, "Correct horse", "192.0.2.1"), false);
});

test("hashes the same password differently each time", async () => {
  const passwords = await openPasswords(cheap);
  assert.notEqual(await passwords.hash("a", "192.0.2.1"), await passwords.hash("a", "192.0.2.1"));
});

test("rejects an unknown user after the same work as a wrong password", async () => {
  const passwords = await openPasswords();
  const hash = await passwords.hash("right", "192.0.2.1");
  const unknown: number[] = [];
  const wrong: number[] = [];
  for (let round = 0; round < 7; round += 1) {
    unknown.push(
      await measureMs(async () =>
        assert.equal(await passwords.verify(undefined, "x", "192.0.2.1"), false),
      ),
    );
    wrong.push(
      await measureMs(async () =>
        assert.equal(await passwords.verify(hash, "x", "192.0.2.1"), false),
      ),
    );
  }
  // The fastest runs are the least disturbed. A check that skips the work would be 100 times faster.
  const ratio = Math.min(...unknown) / Math.min(...wrong);
  assert.ok(ratio > 0.4 && ratio < 2.5, `unknown/wrong took ${ratio.toFixed(2)} times as long`);
});

test("rejects passwords beyond the queue at once, and answers all others", async () => {
  const passwords = await openPasswords({ ...cheap, capacity: 2, waitersMax: 3 });
  const answers = await Promise.allSettled(
    Array.from({ length: 8 }, (_, index) => passwords.hash(`password ${index}`, "192.0.2.1")),
  );
  assert.equal(answers.filter((answer) => answer.status === "fulfilled").length, 5);
  const refused = answers.filter((answer) => answer.status === "rejected");
  assert.equal(refused.length, 3);
  for (const answer of refused) assert.ok(answer.reason instanceof PasswordsBusyError);
  assert.match(await passwords.hash("afterwards", "192.0.2.1"), /^\$argon2id\$/);
});

test("serves other networks after one password of a network that floods it", async () => {
  const passwords = await openPasswords({ ...cheap, capacity: 1 });
  const ended: string[] = [];
  const hash = async (from: string) => {
    await passwords.hash("x", from);
    ended.push(from);
  };
  const many = Array.from({ length: 50 }, () => hash("192.0.2.1"));
  await Promise.all([...many, hash("192.0.2.2"), hash("192.0.2.3")]);
  assert.ok(ended.indexOf("192.0.2.2") <= 3, ended.slice(0, 5).join());
  assert.ok(ended.indexOf("192.0.2.3") <= 4, ended.slice(0, 5).join());
});

test("evicts a waiter of the network with the longest queue for one of another", async () => {
  const passwords = await openPasswords({ ...cheap, capacity: 1, waitersMax: 4 });
  const hash = (from: string) => passwords.hash("x", from);
  const many = Array.from({ length: 6 }, () => hash("192.0.2.1"));
  const others = [1, 2, 3].map(() => hash("192.0.2.2"));
  const [ofMany, ofOthers] = await Promise.all([
    Promise.allSettled(many),
    Promise.allSettled(others),
  ]);
  const countDone = (answers: PromiseSettledResult<string>[]) =>
    answers.map(({ status }) => status).lastIndexOf("fulfilled") + 1;
  assert.deepEqual(
    [countDone(ofMany), countDone(ofOthers)],
    [3, 2],
    "one ran, then two of each waited",
  );
  for (const answer of [...ofMany, ...ofOthers])
    if (answer.status === "rejected") assert.ok(answer.reason instanceof PasswordsBusyError);
});

test("throws for a malformed hash, and releases its slot", async () => {
  const passwords = await openPasswords({ ...cheap, capacity: 1, waitersMax: 0 });
  await assert.rejects(passwords.verify("not a hash", "x", "192.0.2.1"));
  assert.equal(
    await passwords.verify(await passwords.hash("x", "192.0.2.1"), "x", "192.0.2.1"),
    true,
  );
});

async function measureMs(work: () => Promise<void>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

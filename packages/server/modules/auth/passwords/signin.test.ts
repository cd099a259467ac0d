import assert from "node:assert/strict";
import { createHash, randomBytes } from "node:crypto";
import { test } from "node:test";
import { sql } from "kysely";
import { service } from "../../../../../test/harness.ts";
import { toCtx } from "../../../kernel/ctx.ts";
import { inTransaction } from "../../../platform/db/transaction.ts";
import { Fault } from "../../../platform/errors.ts";
import {
  type Passwords,
  PasswordsBusyError,
  openPasswords,
} from "../../../platform/crypto/passwords.ts";
import { openSealer } from "../../../platform/crypto/sealing.ts";
import { toAccount } from "../accounts/account.ts";
import { openRateLimiter } from "../limits/rate-limiter.ts";
import { type SigninAttempts, openSigninAttempts } from "../limits/signin-attempts.ts";
import { deleteExpired } from "../jobs.ts";
import { signIn, verifyCredentials } from "./signin.ts";
import { signUp } from "../accounts/signup.ts";

const { db } = service;
const cheap = await openPasswords({ memoryCostKib: 64, timeCost: 1, parallelism: 1 });
const secret = randomBytes(32);
const factorSealer = openSealer(secret, "second factors");
const log = { warn: () => assert.fail("every factor is of this secret") };
const openNode = (key = secret): SigninAttempts =>
  openSigninAttempts({
    db,
    limiter: openRateLimiter({ db, secret: key, signupsPerHourMax: Infinity }),
  });
const node = openNode();
const password = "correct horse";
/** Usernames that are not addresses get no mail, and these tests invite nobody. */
const noMails = {
  publicUrl: "https://avow.example",
  config: { signups: undefined },
  outbox: { postLetter: async () => undefined },
  invitationTargets: {
    getTitle: () => assert.fail("nobody is invited"),
    addMember: () => assert.fail("nobody is invited"),
  },
};
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** An address that no other test uses. */
function newIp(): string {
  const groups = randomBytes(6).toString("hex").match(/.{4}/g) ?? [];
  return `fd00:${groups.join(":")}::1`;
}

async function newName(): Promise<string> {
  const username = `u${randomBytes(6).toString("hex")}`;
  const passwordHash = await cheap.hash(password, "192.0.2.1");
  const account = toAccount({ username, password });
  await inTransaction(db, (tx) =>
    signUp(
      toCtx({ tx, actor: { kind: "visitor" }, now: new Date(), requestId: undefined }),
      noMails,
      {
        account,
        passwordHash,
        label: "test",
        language: "en",
      },
    ),
  );
  return username;
}

interface Attempt {
  username: string;
  ip: string;
  given?: string;
  now?: Date;
  passwords?: Passwords;
  attempts?: SigninAttempts;
}

/** Signs in as a request would; returns "in", or the kind of the error. */
async function attempt({ username, ip, ...rest }: Attempt): Promise<string> {
  const { given = password, now = new Date(), passwords = cheap, attempts = node } = rest;
  try {
    const verified = await verifyCredentials(
      { db, passwords, attempts, factorSealer, log },
      { username, password: given, code: undefined, ip, now },
    );
    await inTransaction(db, (tx) => {
      const ctx = toCtx({ tx, actor: { kind: "visitor" }, now, requestId: undefined });
      return signIn(ctx, noMails, { ...verified, label: "test", language: "en" });
    });
    return "in";
  } catch (error) {
    if (error instanceof Fault) return error.kind;
    throw error;
  }
}

/** Fails `count` times, each time from another address or the one given. */
async function fail(username: string, count: number, ip?: string): Promise<void> {
  for (let i = 0; i < count; i += 1) {
    const outcome = await attempt({ username, ip: ip ?? newIp(), given: "wrong" });
    assert.equal(outcome, "wrong-credentials", `failure ${i + 1}`);
  }
}

test("does the same work for an unknown user, a user without a password and a wrong password", async () => {
  const work: string[] = [];
  const counting: Passwords = {
    hash: (given, from) => cheap.hash(given, from),
    async verify(hash, given, from) {
      work.push("verify");
      return cheap.verify(hash, given, from);
    },
  };
  const withoutPassword = await newName();
  await db
    .updateTable("identities")
    .set({ password_hash: null })
    .where("user_id", "in", (eb) =>
      eb.selectFrom("logins").select("user_id").where("name", "=", withoutPassword),
    )
    .execute();
  const names = [await newName(), "nobody at all", withoutPassword];
  for (const username of names) {
    work.length = 0;
    const outcome = await attempt({ username, ip: newIp(), given: "wrong", passwords: counting });
    assert.equal(outcome, "wrong-credentials");
    assert.deepEqual(work, ["verify"], username);
  }
});

test("limits an account at one address only", async () => {
  const username = await newName();
  const ip = newIp();
  await fail(username, 10, ip);
  assert.equal(await attempt({ username, ip }), "too-many");
  assert.equal(await attempt({ username, ip: ip.replace(/1$/, "2") }), "too-many", "the same /64");
  assert.equal(await attempt({ username, ip: newIp() }), "in");
  assert.equal(await attempt({ username: await newName(), ip }), "in");
  const later = new Date(Date.now() + 15 * MINUTE_MS);
  assert.equal(await attempt({ username, ip, now: later }), "in");
});

test("limits an unknown name like that of a user", async () => {
  const username = `nobody${randomBytes(4).toString("hex")}`;
  const ip = newIp();
  await fail(username, 10, ip);
  assert.equal(await attempt({ username, ip }), "too-many");
  assert.equal(await attempt({ username: username.toUpperCase(), ip }), "too-many");
});

test("counts a user's names as one account", async () => {
  const username = `n${randomBytes(6).toString("hex")}`;
  const email = `${username}@example.org`;
  await service.fetch("/v1/auth/local/signup", { json: { username, email, password } });
  const ip = newIp();
  await fail(username, 5, ip);
  await fail(email, 5, ip);
  assert.equal(await attempt({ username, ip }), "too-many");
});

test("forgets an account's failures at an address when its owner signs in there", async () => {
  const username = await newName();
  const ip = newIp();
  await fail(username, 9, ip);
  assert.equal(await attempt({ username, ip }), "in");
  await fail(username, 9, ip);
  assert.equal(await attempt({ username, ip }), "in");
});

test("limits an address that tries many accounts", async () => {
  const ip = newIp();
  for (let i = 0; i < 10; i += 1) await fail(`nobody${randomBytes(6).toString("hex")}`, 10, ip);
  assert.equal(await attempt({ username: await newName(), ip }), "too-many");
});

test("limits an account tried from many addresses, except where its owner signed in before", async () => {
  const username = await newName();
  const home = newIp();
  const joined = new Date(Date.now() - 89 * DAY_MS);
  assert.equal(await attempt({ username, ip: home, now: joined }), "in");
  await fail(username, 100);
  assert.equal(await attempt({ username, ip: newIp() }), "too-many");
  await fail(username, 9, home);
  assert.equal(await attempt({ username, ip: home }), "in");
  const forgotten = await newName();
  const long = new Date(Date.now() - 91 * DAY_MS);
  assert.equal(await attempt({ username: forgotten, ip: home, now: long }), "in");
  await fail(forgotten, 100);
  assert.equal(await attempt({ username: forgotten, ip: home }), "too-many");
});

test("does not count correct passwords of concurrent sign-ins", async () => {
  const username = await newName();
  const ip = newIp();
  const outcomes = await Promise.all(Array.from({ length: 40 }, () => attempt({ username, ip })));
  assert.deepEqual([...new Set(outcomes)], ["in"]);
});

test("checks ten of many concurrent guesses to two nodes, and reveals no correct one beyond", async () => {
  const username = await newName();
  const ip = newIp();
  let checked = 0;
  const counting: Passwords = {
    hash: (given, from) => cheap.hash(given, from),
    async verify(hash, given, from) {
      checked += 1;
      return cheap.verify(hash, given, from);
    },
  };
  const nodes = [node, openNode()];
  const guess = (given: string, i: number) =>
    attempt({ username, ip, given, passwords: counting, attempts: nodes[i % 2] ?? node });
  const wrong = Array.from({ length: 40 }, (_, i) => guess(`wrong ${i}`, i));
  const right = [guess(password, 0), guess(password, 1)];
  const outcomes = await Promise.all(wrong);
  assert.equal(outcomes.filter((outcome) => outcome === "wrong-credentials").length, 10);
  assert.deepEqual(await Promise.all(right), ["too-many", "too-many"]);
  assert.equal(checked, 10);
});

test("accepts concurrent correct passwords on two nodes", async () => {
  const username = await newName();
  const ip = newIp();
  const nodes = [node, openNode()];
  const outcomes = await Promise.all(
    Array.from({ length: 40 }, (_, i) => attempt({ username, ip, attempts: nodes[i % 2] ?? node })),
  );
  assert.deepEqual([...new Set(outcomes)], ["in"]);
});

test("limits the waiters for one account, with a retry after a second", async () => {
  const username = await newName();
  const ip = newIp();
  const gate = Promise.withResolvers<void>();
  const held: Passwords = {
    hash: (given, from) => cheap.hash(given, from),
    async verify(hash, given, from) {
      await gate.promise;
      return cheap.verify(hash, given, from);
    },
  };
  const all = Array.from({ length: 120 }, async () => {
    const outcome = await attempt({ username, ip, passwords: held });
    // Rejected attempts return while all others are blocked.
    if (outcome === "too-many") gate.resolve();
    return outcome;
  });
  const outcomes = await Promise.all(all);
  const refused = outcomes.filter((outcome) => outcome === "too-many").length;
  assert.ok(refused >= 17 && refused <= 20, String(refused));
  assert.equal(outcomes.filter((outcome) => outcome === "in").length, 120 - refused);
});

test("does not lock an account out of a known address by failures of others there", async () => {
  const username = await newName();
  const ip = newIp();
  assert.equal(await attempt({ username, ip }), "in");
  for (let i = 0; i < 10; i += 1) await fail(`nobody${randomBytes(6).toString("hex")}`, 10, ip);
  assert.equal(await attempt({ username: await newName(), ip }), "too-many");
  await fail(username, 10, ip);
  assert.equal(await attempt({ username, ip }), "too-many", "its own failures count");
});

test("counts no failure when passwords cannot be checked", async () => {
  const username = await newName();
  const ip = newIp();
  const busy: Passwords = {
    hash: (given, from) => cheap.hash(given, from),
    verify: () => Promise.reject(new PasswordsBusyError()),
  };
  for (let i = 0; i < 12; i += 1)
    assert.equal(await attempt({ username, ip, passwords: busy }), "busy");
  assert.equal(await attempt({ username, ip }), "in");
});

test("stores no address in plain text, and deletes expired rows", async () => {
  const username = await newName();
  const ip = newIp();
  const past = new Date(Date.UTC(2001, 0, 1));
  const until = new Date(Date.UTC(2002, 0, 1));
  assert.equal(await attempt({ username, ip, now: past }), "in");
  assert.equal(await attempt({ username, ip, now: past, given: "wrong" }), "wrong-credentials");
  const count = async (): Promise<number[]> => {
    const counts: number[] = [];
    for (const table of ["signin_failures", "signin_addresses", "access_tokens"] as const) {
      const rows = await db
        .selectFrom(table)
        .select("expires_at")
        .where("expires_at", "<", until)
        .execute();
      counts.push(rows.length);
    }
    return counts;
  };
  // The account at the address, the address, and the account.
  assert.deepEqual(await count(), [3, 1, 1]);
  await deleteExpired(db, { now: until, idleMs: undefined });
  assert.deepEqual(await count(), [0, 0, 0]);
});

test("keys of addresses cannot be computed from a database dump", async () => {
  const username = await newName();
  const ip = "192.0.2.77";
  const now = new Date(Date.UTC(2003, 0, 1));
  const listKeys = async (): Promise<Set<string>> => {
    const failures = await db.selectFrom("signin_failures").select("key").execute();
    const addresses = await db.selectFrom("signin_addresses").select("key").execute();
    return new Set([...failures, ...addresses].map(({ key }) => key.toString("hex")));
  };
  const before = await listKeys();
  assert.equal(await attempt({ username, ip, now }), "in");
  const kept = await listKeys();
  assert.equal(kept.size, before.size + 3);
  const { user_id: userId } = await db
    .selectFrom("logins")
    .select("user_id")
    .where("name", "=", username)
    .executeTakeFirstOrThrow();
  const known = [
    ["account at address", "user", userId, ip],
    ["address", ip],
    ["account", "user", userId],
  ];
  for (const parts of known) {
    const guessed = createHash("sha256").update(JSON.stringify(parts)).digest("hex");
    assert.ok(!kept.has(guessed), parts.join());
  }
  const other = openNode(randomBytes(32));
  assert.equal(await attempt({ username, ip, now, attempts: other }), "in");
  assert.equal((await listKeys()).size, kept.size + 3, "another secret has other keys");
  await deleteExpired(db, { now: new Date(Date.UTC(2004, 0, 1)), idleMs: undefined });
});

test("ends the oldest sessions of a user who has a thousand", async () => {
  const username = await newName();
  const { user_id: userId } = await db
    .selectFrom("logins")
    .select("user_id")
    .where("name", "=", username)
    .executeTakeFirstOrThrow();
  await sql`
    INSERT INTO access_tokens (id, hash, user_id, label, created_at, last_used_at, expires_at)
    SELECT '00000000' || right(${userId}, 8) || lpad(n::text, 8, '0'), sha256(${userId}::bytea || n::text::bytea),
           ${userId}, 'old', now(), now(), now() + interval '15 days'
    FROM generate_series(1, 1000) AS n`.execute(db);
  assert.equal(await attempt({ username, ip: newIp() }), "in");
  const tokens = await db
    .selectFrom("access_tokens")
    .select("label")
    .where("user_id", "=", userId)
    .execute();
  assert.equal(tokens.length, 1_000);
  assert.equal(tokens.filter(({ label }) => label === "test").length, 2);
});

import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import { openPasswords } from "../../server/platform/passwords.ts";
import type { TestAnswer } from "../harness.ts";
import { unique } from "./accounts.ts";
import { openSigning } from "./signing.ts";
import { type Work, openWork } from "./work.ts";

/*
 * Who has an account is told by no answer and by no time. What takes time is counted: the queries of a request one by one,
 * and hashes of passwords by the processor's time, of which one takes far more than all that is beside it. Both are taken
 * in turn, and the least of each counts: noise only adds. Time by the clock has a wide bound and several rounds, since
 * others use the machine too; it is there for waits, which are no work.
 */
const SAMPLES = 7;
const ROUNDS = 4;
const RATIO_MAX = 3;

// Before the service, whose connections are counted as they are made.
const work = openWork();
after(() => work[Symbol.dispose]());
const avow = await openSigning({});
after(() => avow[Symbol.asyncDispose]());
const passwords = await openPasswords();

type Attempt = () => Promise<unknown>;

interface Compared {
  known: Work;
  unknown: Work;
}

const least = (all: readonly Work[]): Work => ({
  queries: all[0]?.queries ?? [],
  cpuMs: Math.min(...all.map(({ cpuMs }) => cpuMs)),
  ms: Math.min(...all.map(({ ms }) => ms)),
});

/** The least that each of two takes. */
async function compareOnce(known: Attempt, unknown: Attempt): Promise<Compared> {
  const [a, b]: [Work[], Work[]] = [[], []];
  for (let n = 0; n < SAMPLES; n += 1) {
    // Neither is always the first.
    const pairs = [[known, a] as const, [unknown, b] as const];
    for (const [attempt, all] of n % 2 ? pairs : pairs.toReversed())
      all.push(await work.measure(attempt));
  }
  return { known: least(a), unknown: least(b) };
}

/** How many hashes one of two makes more than the other. */
async function countHashes({ known, unknown }: Compared): Promise<number> {
  const hash = await passwords.hash("correct horse", "192.0.2.1");
  const verify = () => passwords.verify(hash, "wrong one", "192.0.2.1");
  const one = await compareOnce(verify, () => Promise.resolve());
  return Math.abs(known.cpuMs - unknown.cpuMs) / one.known.cpuMs;
}

const ratioOf = ({ known, unknown }: Compared): number =>
  Math.max(known.ms, unknown.ms) / Math.min(known.ms, unknown.ms);

/** Compares what two take, in more rounds where a difference of time may be this machine's. */
async function compare(known: Attempt, unknown: Attempt) {
  await known();
  await unknown();
  const ratios: number[] = [];
  const hashes: number[] = [];
  for (let round = 0; ; round += 1) {
    const compared = await compareOnce(known, unknown);
    ratios.push(ratioOf(compared));
    hashes.push(await countHashes(compared));
    const found = { ...compared, ratio: Math.min(...ratios), hashes: Math.min(...hashes) };
    if (round + 1 === ROUNDS || (found.ratio <= RATIO_MAX && found.hashes < 0.5)) return found;
  }
}

/** Holds that as many hashes are made and that it takes as long. */
function assertSameTime({ hashes, ratio }: { hashes: number; ratio: number }): void {
  assert.ok(hashes < 0.5, `one takes ${hashes.toFixed(2)} hashes more`);
  assert.ok(ratio <= RATIO_MAX, `the slower one takes ${ratio.toFixed(2)} times as long`);
}

async function assertSame(known: Attempt, unknown: Attempt): Promise<void> {
  const found = await compare(known, unknown);
  assert.ok(found.known.queries.length > 0);
  assert.deepEqual(found.known.queries, found.unknown.queries);
  assertSameTime(found);
}

const post = (path: string, json: object, token?: string): Promise<TestAnswer> =>
  avow.fetch(`/v1/auth/${path}`, { json, ...(token === undefined ? {} : { token }) });
const nobody = (): string => `${unique()}@example.org`;
/** What an answer tells beside its own id and address. */
const told = ({ status, headers, body }: TestAnswer) => ({
  status,
  body,
  headers: [...headers.keys()].filter((name) => name !== "retry-after").toSorted(),
});

/** Addresses of users, another one each time, since what is tried with one is counted. */
async function openAddresses(): Promise<() => string> {
  const users = await Promise.all(Array.from({ length: 12 }, () => avow.newUser()));
  let turn = 0;
  return () => users[turn++ % users.length]?.email ?? "";
}

describe("who has an account is not told", () => {
  it("by sign-in", async () => {
    const next = await openAddresses();
    const signIn = (username: string) => post("local/signin", { username, password: "wrong one" });
    const refused = await signIn(next());
    assert.equal(refused.status, 401);
    assert.deepEqual(told(refused), told(await signIn(nobody())));
    await assertSame(
      () => signIn(next()),
      () => signIn(nobody()),
    );
  });

  it("by asking for a reset", async () => {
    const next = await openAddresses();
    const ask = (email: string) => post("local/reset-password-token", { email });
    assert.deepEqual(told(await ask(next())), told(await ask(nobody())));
    await assertSame(
      () => ask(next()),
      () => ask(nobody()),
    );
  });

  it("by inviting", async () => {
    const { token } = await avow.newUser();
    const project = await avow.fetch("/v1/vault/projects", {
      token,
      json: { websiteURL: "https://shop.example", title: "Shop" },
    });
    const data = { collection: "projects", id: project.body.id };
    const next = await openAddresses();
    const invite = (email: string) => post("invitations", { email, data }, token);
    const [one, other] = [await invite(next()), await invite(nobody())];
    assert.deepEqual([one.status, other.status], [200, 200], JSON.stringify(one.body));
    assert.deepEqual(Object.keys(one.body), Object.keys(other.body));
    await assertSame(
      () => invite(next()),
      () => invite(nobody()),
    );
  });

  it("by the time of a sign-up, whose answer says it, as the interface has it", async () => {
    const { email } = await avow.newUser();
    const signUp = (name: string) =>
      post("local/signup", { email: name, password: "correct horse" });
    assert.equal((await signUp(email)).status, 409);
    const found = await compare(
      () => signUp(email),
      () => signUp(nobody()),
    );
    assertSameTime(found);
  });
});

describe("the measure", () => {
  const look = () => avow.fetch("/v1/auth/providers");

  it("tells a hash that is skipped for who has no account", async () => {
    const hash = await passwords.hash("correct horse", "192.0.2.1");
    const known = async () => [await look(), await passwords.verify(hash, "no", "192.0.2.1")];
    const { hashes } = await compare(known, look);
    assert.ok(hashes > 0.5, `${hashes} hashes`);
  });

  it("tells one query more", async () => {
    const { token } = await avow.newUser();
    const { known, unknown } = await compare(look, () => avow.getMe(token));
    assert.deepEqual(known.queries, []);
    assert.ok(unknown.queries.length > 0);
  });
});

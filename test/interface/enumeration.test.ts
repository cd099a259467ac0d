import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import { openPasswords } from "../../server/platform/passwords.ts";
import type { TestAnswer } from "../harness.ts";
import { unique } from "./accounts.ts";
import { openSigning } from "./signing.ts";

/*
 * Who has an account is told by no answer and by no time. Times are compared by the medians of samples that are taken in
 * turn, so that what slows this machine slows both; only what is there in each of three rounds counts. The hash of a
 * password takes ten times what is beside it: skipping it is seen in any noise.
 */
const SAMPLES = 9;
const ROUNDS = 3;
const RATIO_MAX = 2.5;

const avow = await openSigning({});
after(() => avow[Symbol.asyncDispose]());

type Attempt = (round: number) => Promise<unknown>;

function medianOf(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

async function measure(attempt: Attempt, n: number): Promise<number> {
  const from = performance.now();
  await attempt(n);
  return performance.now() - from;
}

/** How many times longer the slower of the two takes. */
async function compareOnce(known: Attempt, unknown: Attempt): Promise<number> {
  const [a, b]: [number[], number[]] = [[], []];
  for (let n = 0; n < SAMPLES; n += 1) {
    // Neither is always the first.
    const pairs = [[known, a] as const, [unknown, b] as const];
    for (const [attempt, times] of n % 2 ? pairs : pairs.toReversed())
      times.push(await measure(attempt, n));
  }
  const [one, other] = [medianOf(a), medianOf(b)];
  return Math.max(one, other) / Math.min(one, other);
}

/** The least difference of some rounds. */
async function compareTimes(known: Attempt, unknown: Attempt): Promise<number> {
  await Promise.all([known(0), unknown(0)]);
  const ratios: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    ratios.push(await compareOnce(known, unknown));
    if (Math.min(...ratios) <= RATIO_MAX) break;
  }
  return Math.min(...ratios);
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

describe("who has an account is not told", () => {
  it("by sign-in", async () => {
    // Some users, since failures of one are counted.
    const users = await Promise.all([1, 2, 3, 4, 5].map(() => avow.newUser()));
    let turn = 0;
    const signIn = (username: string) => post("local/signin", { username, password: "wrong one" });
    const known = () => signIn(users[turn++ % users.length]?.email ?? "");
    const unknown = () => signIn(nobody());
    assert.deepEqual(told(await known()), told(await unknown()));
    assert.equal((await known()).status, 401);
    const ratio = await compareTimes(known, unknown);
    assert.ok(ratio <= RATIO_MAX, `the slower one takes ${ratio} times as long`);
  });

  it("by asking for a reset", async () => {
    const users = await Promise.all([1, 2, 3, 4, 5].map(() => avow.newUser()));
    let turn = 0;
    const ask = (email: string) => post("local/reset-password-token", { email });
    const known = () => ask(users[turn++ % users.length]?.email ?? "");
    const unknown = () => ask(nobody());
    assert.deepEqual(told(await known()), told(await unknown()));
    const ratio = await compareTimes(known, unknown);
    assert.ok(ratio <= RATIO_MAX, `the slower one takes ${ratio} times as long`);
  });

  it("by inviting", async () => {
    const { token } = await avow.newUser();
    const project = await avow.fetch("/v1/vault/projects", {
      token,
      json: { websiteURL: "https://shop.example", title: "Shop" },
    });
    const data = { collection: "projects", id: project.body.id };
    const users = await Promise.all(Array.from({ length: 12 }, () => avow.newUser()));
    let turn = 0;
    const invite = (email: string) => post("invitations", { email, data }, token);
    const known = () => invite(users[turn++ % users.length]?.email ?? "");
    const unknown = () => invite(nobody());
    const [one, other] = [await known(), await unknown()];
    assert.deepEqual([one.status, other.status], [200, 200], JSON.stringify(one.body));
    assert.deepEqual(Object.keys(one.body), Object.keys(other.body));
    const ratio = await compareTimes(known, unknown);
    assert.ok(ratio <= RATIO_MAX, `the slower one takes ${ratio} times as long`);
  });

  it("by the time of a sign-up, whose answer says it, as the interface has it", async () => {
    const { email } = await avow.newUser();
    const signUp = (name: string) =>
      post("local/signup", { email: name, password: "correct horse" });
    assert.equal((await signUp(email)).status, 409);
    const ratio = await compareTimes(
      () => signUp(email),
      () => signUp(nobody()),
    );
    assert.ok(ratio <= RATIO_MAX, `the slower one takes ${ratio} times as long`);
  });
});

it("the measure tells a hash that is skipped for who has no account", async () => {
  const passwords = await openPasswords();
  const hash = await passwords.hash("correct horse", "192.0.2.1");
  const look = () => avow.fetch("/v1/auth/providers");
  const known = async () => [await look(), await passwords.verify(hash, "wrong one", "192.0.2.1")];
  assert.ok((await compareTimes(known, look)) > RATIO_MAX);
});

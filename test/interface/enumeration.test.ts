import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import { type TestAnswer, passwords } from "../harness.ts";
import { unique } from "./accounts.ts";
import { openSigning } from "./signing.ts";
import { type Work, openWork } from "./work.ts";

/*
 * Neither responses nor their timing reveal which addresses have an account: the same queries and password
 * hashes are made. Work is counted, since time depends on the machine.
 */

// Before the service, so that its connections are counted.
const work = openWork(passwords);
after(() => work[Symbol.dispose]());
const avow = await openSigning({}, {}, work.passwords);
after(() => avow[Symbol.asyncDispose]());

type Attempt = () => Promise<unknown>;

/** The work of each attempt, after the caches are warm. */
async function compare(known: Attempt, unknown: Attempt): Promise<{ known: Work; unknown: Work }> {
  await known();
  await unknown();
  return { known: await work.measure(known), unknown: await work.measure(unknown) };
}

async function assertSame(known: Attempt, unknown: Attempt, hashes: number): Promise<void> {
  const found = await compare(known, unknown);
  assert.ok(found.known.queries.length > 0);
  assert.deepEqual(found.known, found.unknown);
  assert.equal(found.known.hashes, hashes);
}

const post = (path: string, json: object, token?: string): Promise<TestAnswer> =>
  avow.fetch(`/v1/auth/${path}`, { json, ...(token === undefined ? {} : { token }) });
const nobody = (): string => `${unique()}@example.org`;
/** The comparable parts of a response: without its own id and address. */
const toComparable = ({ status, headers, body }: TestAnswer) => ({
  status,
  body,
  headers: [...headers.keys()].filter((name) => name !== "retry-after").toSorted(),
});

/** Users' addresses, a new one at each call, since attempts are limited per address. */
async function openAddresses(): Promise<() => string> {
  const users = await Promise.all(Array.from({ length: 12 }, () => avow.newUser()));
  let turn = 0;
  return () => users[turn++ % users.length]?.email ?? "";
}

describe("the existence of an account is not revealed", () => {
  it("by sign-in", async () => {
    const next = await openAddresses();
    const signIn = (username: string) => post("local/signin", { username, password: "wrong one" });
    const refused = await signIn(next());
    assert.equal(refused.status, 401);
    assert.deepEqual(toComparable(refused), toComparable(await signIn(nobody())));
    await assertSame(
      () => signIn(next()),
      () => signIn(nobody()),
      1,
    );
  });

  it("by requesting a reset", async () => {
    const next = await openAddresses();
    const ask = (email: string) => post("local/reset-password-token", { email });
    assert.deepEqual(toComparable(await ask(next())), toComparable(await ask(nobody())));
    await assertSame(
      () => ask(next()),
      () => ask(nobody()),
      0,
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
      0,
    );
  });

  it("by the work of a sign-up, whose response reveals it as specified", async () => {
    const { email } = await avow.newUser();
    const signUp = (name: string) =>
      post("local/signup", { email: name, password: "correct horse" });
    assert.equal((await signUp(email)).status, 409);
    const found = await compare(
      () => signUp(email),
      () => signUp(nobody()),
    );
    assert.equal(found.known.hashes, found.unknown.hashes);
    assert.equal(found.known.hashes, 1);
  });
});

describe("the work counter", () => {
  const look = () => avow.fetch("/v1/auth/providers");

  it("detects one additional query", async () => {
    const { token } = await avow.newUser();
    const { known, unknown } = await compare(look, () => avow.getMe(token));
    assert.deepEqual(known, { queries: [], hashes: 0 });
    assert.ok(unknown.queries.length > 0);
  });
});

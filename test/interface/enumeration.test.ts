import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import { type TestAnswer, passwords } from "../harness.ts";
import { unique } from "./accounts.ts";
import { openSigning } from "./signing.ts";
import { type Work, openWork } from "./work.ts";

/*
 * Neither answers nor their timing reveal who has an account: the same queries are made and as many
 * passwords hashed. Work is counted, since time would depend on the machine.
 */

// Before the service, whose connections are counted as they are made.
const work = openWork(passwords);
after(() => work[Symbol.dispose]());
const avow = await openSigning({}, {}, work.passwords);
after(() => avow[Symbol.asyncDispose]());

type Attempt = () => Promise<unknown>;

/** The work of each, once what the first request prepares is there. */
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
      1,
    );
  });

  it("by asking for a reset", async () => {
    const next = await openAddresses();
    const ask = (email: string) => post("local/reset-password-token", { email });
    assert.deepEqual(told(await ask(next())), told(await ask(nobody())));
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

  it("by the work of a sign-up, whose answer says it, as the interface has it", async () => {
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

describe("the measure", () => {
  const look = () => avow.fetch("/v1/auth/providers");

  it("counts one query more", async () => {
    const { token } = await avow.newUser();
    const { known, unknown } = await compare(look, () => avow.getMe(token));
    assert.deepEqual(known, { queries: [], hashes: 0 });
    assert.ok(unknown.queries.length > 0);
  });
});

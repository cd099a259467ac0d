import assert from "node:assert/strict";
import { randomBytes, randomUUID } from "node:crypto";
import { after, test } from "node:test";
import { openPasswords } from "../../packages/server/platform/crypto/passwords.ts";
import { type TestAnswer, service } from "../harness.ts";
import { openAnotherService } from "./another-service.ts";
import { tokenOf, waitForMail } from "./mails.ts";

const password = "correct horse";
/** Behind a proxy, so that a test may use any client address. */
const proxied = await openAnotherService(service.databaseUrl, { TRUST_PROXY: "on" });
after(() => proxied[Symbol.asyncDispose]());

/** An address that no other test uses. */
function newIp(): string {
  const groups = randomBytes(6).toString("hex").match(/.{4}/g) ?? [];
  return `fd01:${groups.join(":")}::1`;
}

function signUp(ip: string, json: object, url = proxied.url): Promise<TestAnswer> {
  const headers = { "x-forwarded-for": ip };
  return service.fetch(`${url}/v1/auth/local/signup`, { json, headers });
}

const newEmail = (): string => `${randomBytes(8).toString("hex")}@example.org`;

function signIn(
  ip: string,
  username: string,
  given = password,
  url = proxied.url,
): Promise<TestAnswer> {
  const json = { username, password: given };
  const headers = { "x-forwarded-for": ip };
  return service.fetch(`${url}/v1/auth/local/signin`, { json, headers });
}

test("POST signin checks ten of 190 concurrent guesses, and the right one among the rest is indistinguishable", async () => {
  const { email } = await service.newUser();
  const ip = newIp();
  const right = 150;
  const answers = await Promise.all(
    Array.from({ length: 190 }, (_, i) => signIn(ip, email, i === right ? password : `wrong ${i}`)),
  );
  const statuses = answers.map(({ status }) => status);
  assert.equal(statuses.filter((status) => status === 401).length, 10);
  assert.equal(statuses.filter((status) => status === 429).length, 180);
  assert.equal(statuses[right], 429);
  const { status, body } = await signIn(ip, email, password);
  const wrong = await signIn(ip, email, "wrong");
  assert.deepEqual([status, body.type, body.title], [429, wrong.body.type, wrong.body.title]);
});

test("POST signin accepts all concurrent right passwords after nine failures", async () => {
  const { email } = await service.newUser();
  const ip = newIp();
  for (let i = 0; i < 9; i += 1) assert.equal((await signIn(ip, email, "wrong")).status, 401);
  const answers = await Promise.all(Array.from({ length: 12 }, () => signIn(ip, email)));
  assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200]);
});

test("POST signin does not lock out a user at a known address when others fail there", async () => {
  const owner = await service.newUser();
  const stranger = await service.newUser();
  const ip = newIp();
  assert.equal((await signIn(ip, owner.email)).status, 200);
  const nobody = (i: number): string => `nobody-${i % 20}-${ip}@example.org`;
  for (let i = 0; i < 100; i += 1) assert.equal((await signIn(ip, nobody(i), "x")).status, 401);
  assert.equal((await signIn(ip, stranger.email)).status, 429);
  assert.equal((await signIn(ip, owner.email)).status, 200);
  for (let i = 0; i < 10; i += 1) assert.equal((await signIn(ip, owner.email, "x")).status, 401);
  assert.equal((await signIn(ip, owner.email)).status, 429, "the user's own failures still count");
});

test("POST signin neither restores a revoked token for an Idempotency-Key nor stores one", async () => {
  const { email } = await service.newUser();
  const headers = { "idempotency-key": randomUUID() };
  const json = { username: email, password };
  const send = () => service.fetch("/v1/auth/local/signin", { json, headers });
  const first = await send();
  assert.equal(first.status, 200);
  await service.fetch("/v1/auth/logout", { method: "POST", token: first.body.token });
  const second = await send();
  assert.equal(second.status, 200);
  assert.equal(second.headers.get("idempotency-replayed"), null);
  assert.notEqual(second.body.token, first.body.token);
  assert.equal((await service.fetch("/v1/auth/me", { token: second.body.token })).status, 200);
});

test("POST signup limits accounts per network and hour, and does not affect other networks", async () => {
  await using few = await openAnotherService(service.databaseUrl, {
    TRUST_PROXY: "on",
    SIGNUPS_PER_HOUR_MAX: "3",
  });
  const [ip, taken] = [newIp(), newEmail()];
  const signUpFrom = (from: string, email = newEmail()) =>
    signUp(from, { email, password }, few.url);
  assert.equal((await signUpFrom(ip, taken)).status, 200);
  assert.equal((await signUpFrom(ip, taken)).status, 409, "a rejected duplicate name counts too");
  const atOnce = await Promise.all([signUpFrom(ip), signUpFrom(ip), signUpFrom(ip)]);
  assert.deepEqual(
    atOnce.map(({ status }) => status).toSorted((a, b) => a - b),
    [200, 429, 429],
  );
  const refused = await signUpFrom(ip, taken);
  assert.equal(refused.status, 429);
  assert.ok(Number(refused.headers.get("retry-after")) > 3_000);
  const cookies = await service.fetch(`${few.url}/v1/auth/session/signup`, {
    json: { email: newEmail(), password },
    headers: { "x-forwarded-for": ip, origin: service.config.http.publicUrl },
  });
  assert.equal(cookies.status, 429, "sign-ups in the admin app count too");
  assert.equal((await signUpFrom(newIp())).status, 200);
});

test("POST signin is not delayed by a flood of sign-ups from another network", async () => {
  // With the full hash cost, so that sign-ups queue.
  await using costly = await openAnotherService(
    service.databaseUrl,
    { TRUST_PROXY: "on" },
    service.clock.now,
    { passwords: await openPasswords() },
  );
  const { email } = await service.newUser();
  const ip = newIp();
  let signedUp = 0;
  const flood = Array.from({ length: 60 }, async () => {
    const { status } = await signUp(ip, { email: newEmail(), password }, costly.url);
    if (status === 200) signedUp += 1;
    return status;
  });
  await Promise.race(flood);
  assert.equal((await signIn(newIp(), email, password, costly.url)).status, 200);
  // Queued behind all earlier ones, it would be answered last or rejected.
  assert.ok(signedUp < 50, `${signedUp} sign-ups were answered before`);
  for (const status of await Promise.all(flood))
    assert.ok([200, 503].includes(status), `a slow machine returns 503 to some, not ${status}`);
});

test("POST signin does not lock out a user where they signed up or set a password when others guess elsewhere", async () => {
  const [email, home, laterHome] = [newEmail(), newIp(), newIp()];
  assert.equal((await signUp(home, { email, password })).status, 200);
  await service.fetch("/v1/auth/local/reset-password-token", { json: { email } });
  const token = tokenOf(await waitForMail(email, /password/));
  const reset = await service.fetch(`${proxied.url}/v1/auth/local/reset-password`, {
    json: { token, password },
    headers: { "x-forwarded-for": laterHome },
  });
  assert.equal(reset.status, 200, JSON.stringify(reset.body));
  for (let i = 0; i < 100; i += 1) assert.equal((await signIn(newIp(), email, "x")).status, 401);
  assert.equal((await signIn(newIp(), email)).status, 429, "the guesses count");
  assert.equal((await signIn(home, email)).status, 200);
  assert.equal((await signIn(laterHome, email)).status, 200);
});

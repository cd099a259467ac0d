import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { afterEach, test } from "node:test";
import { Fault } from "../../packages/server/platform/errors.ts";
import { openRateLimiter } from "../../packages/server/modules/auth/limits/rate-limiter.ts";
import { type TestAnswer, service } from "../harness.ts";
import { openAnotherService } from "./another-service.ts";
import { password, signIn, unique } from "./accounts.ts";
import { addFactor, wrongCodeOf } from "./factors.ts";
import { tokenOf, waitForMail } from "./mails.ts";

const send = service.fetch;
const newEmail = (): string => `${unique()}@example.org`;

afterEach(() => service.clock.reset());

/** The error names the limit, and its text and header agree on the delay. */
function assertSays(answer: TestAnswer, what: RegExp): void {
  assert.equal(answer.status, 429, JSON.stringify(answer.body));
  assert.match(answer.body.detail, what);
  const seconds = answer.headers.get("retry-after") ?? "none";
  assert.ok(answer.body.detail.includes(`Wait ${seconds} seconds`), answer.body.detail);
  assert.ok(Number(seconds) > 0);
}

test("a rate limit error names passwords when too many were wrong, at any route", async () => {
  const { token, email } = await service.newUser();
  for (let i = 0; i < 10; i += 1) await signIn(email, `wrong ${i}`);
  const what = /^Too many wrong passwords or codes for this account or from your network\./;
  assertSays(await signIn(email), what);
  assertSays(await send("/v1/auth/confirm", { token, json: { password } }), what);
  const json = { current: password, new: "another horse", confirm: "another horse" };
  assertSays(await send("/v1/auth/local/update-password", { method: "PUT", token, json }), what);
});

test("a rate limit error names the second factor when too many codes were wrong, and does not suggest a reset, which needs a code too", async () => {
  const { token, email } = await service.newUser();
  const { secret, nextCode } = await addFactor(token);
  await send("/v1/auth/local/reset-password-token", { json: { email } });
  const reset = tokenOf(await waitForMail(email, /new password/));
  const json = { username: email, password, code: wrongCodeOf(secret) };
  const signInWith = () => send("/v1/auth/local/signin", { json });
  for (let i = 0; i < 10; i += 1) {
    assert.equal((await signInWith()).status, 401);
    // A right password resets the count of wrong passwords, not of wrong codes.
    if (i < 9) await signIn(email);
  }
  service.clock.advance(16 * 60_000);
  const refused = await signInWith();
  assertSays(refused, /^Too many wrong second-factor codes for this account\./);
  assert.doesNotMatch(refused.body.detail, /password/);
  const given = { token: reset, password: "another horse", code: nextCode() };
  const what = /^Too many wrong second-factor codes for this account\./;
  assertSays(await send("/v1/auth/local/reset-password", { json: given }), what);
  const page = await send("/account/reset", { form: given });
  assert.equal(page.status, 429);
  const minutes = Math.ceil(Number(page.headers.get("retry-after")) / 60);
  assert.ok(minutes > 30 && minutes <= 60, String(minutes));
  assert.match(page.body, new RegExp(`Please try again in ${minutes} minutes\\.`));
});

test("a rate limit error names sign-ups when a network created too many accounts", async () => {
  await using few = await openAnotherService(service.databaseUrl, {
    TRUST_PROXY: "on",
    SIGNUPS_PER_HOUR_MAX: "1",
  });
  const headers = { "x-forwarded-for": `fd02:${randomBytes(2).toString("hex")}::1` };
  const signUp = () =>
    send(`${few.url}/v1/auth/local/signup`, { json: { email: newEmail(), password }, headers });
  assert.equal((await signUp()).status, 200);
  assertSays(await signUp(), /^Too many sign-ups from your network\./);
});

test("a rate limit error names the limit when a user invited one person too often", async () => {
  const { token, project } = await service.newOwner();
  const json = { email: newEmail(), data: { collection: "projects", id: project.id } };
  const invite = () => send("/v1/auth/invitations", { token, json });
  for (let i = 0; i < 5; i += 1) assert.equal((await invite()).status, 200);
  assertSays(await invite(), /^You sent 5 invitations to this address\./);
});

test("a rate limit error names the kind of mail when too many were requested", async () => {
  const secret = randomBytes(32);
  const limiter = openRateLimiter({ db: service.db, secret, signupsPerHourMax: 1 });
  const now = service.clock.now();
  const cases = [
    [
      "resets by network",
      /^Too many password resets were requested from your network\. Wait 3600 s/,
    ],
    ["validations by user", /^You requested too many confirmation mails\. Wait 3600 s/],
    ["invitations by user", /^You sent too many invitations\. Wait 3600 s/],
  ] as const;
  for (const [limit, detail] of cases) {
    const key = [unique()];
    const count = () => limiter.count({ limit, key, now });
    await Promise.all(Array.from({ length: 300 }, count));
    await assert.rejects(count, (error) => {
      assert.ok(error instanceof Fault);
      assert.deepEqual([error.kind, error.retryAfterSeconds], ["too-many", 3_600]);
      assert.match(error.message, detail);
      return true;
    });
  }
});

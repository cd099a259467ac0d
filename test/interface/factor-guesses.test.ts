import assert from "node:assert/strict";
import { after, test } from "node:test";
import { type TestAnswer, service } from "../harness.ts";
import { password, signinPath } from "./accounts.ts";
import { openAnotherService } from "./another-service.ts";
import { addFactor, wrongCodeOf } from "./factors.ts";
import { tokenOf, waitForMail } from "./mails.ts";

const MINUTE_MS = 60_000;
const send = service.fetch;
const wrong = "401 /problems/wrong-code";
const kindOf = ({ status, body }: TestAnswer): string => `${status} ${body.type ?? ""}`;
/** Behind a proxy, so that a test may use any client address. */
const proxied = await openAnotherService(service.databaseUrl, { TRUST_PROXY: "on" });
after(() => proxied[Symbol.asyncDispose]());

function signInFrom(username: string, ip: string, code: string): Promise<TestAnswer> {
  const headers = { "x-forwarded-for": ip };
  return send(proxied.url + signinPath, { headers, json: { username, password, code } });
}

test("a second factor stays usable at a known address while others guess elsewhere, and accepts recovery codes anywhere", async (t) => {
  t.after(() => service.clock.reset());
  const user = await service.newUser();
  const { secret, nextCode, recoveryCodes } = await addFactor(user.token);
  const [home, thief, hotel] = ["203.0.113.7", "198.51.100.7", "192.0.2.7"];
  assert.equal((await signInFrom(user.email, home, nextCode())).status, 200);
  for (let n = 0; n < 10; n += 1)
    assert.equal(kindOf(await signInFrom(user.email, thief, wrongCodeOf(secret))), wrong);
  const refused = await signInFrom(user.email, hotel, nextCode());
  assert.equal(refused.status, 429);
  assert.equal((await signInFrom(user.email, home, nextCode())).status, 200);
  const [first = "", second = ""] = recoveryCodes;
  assert.equal((await signInFrom(user.email, hotel, first)).status, 200);
  assert.equal(
    (await signInFrom(user.email, hotel, nextCode())).status,
    200,
    "the address is known from then on",
  );
  await send("/v1/auth/local/reset-password-token", { json: { email: user.email } });
  const token = tokenOf(await waitForMail(user.email, /Choose a new password/));
  const json = { token, password: "another", code: second };
  const headers = { "x-forwarded-for": "192.0.2.99" };
  const reset = await send(`${proxied.url}/v1/auth/local/reset-password`, { headers, json });
  assert.equal(reset.status, 200, JSON.stringify(reset.body));
});

test("guesses at a known address of the user lock out that address only", async (t) => {
  t.after(() => service.clock.reset());
  const user = await service.newUser();
  const { secret, nextCode } = await addFactor(user.token);
  assert.equal((await signInFrom(user.email, "203.0.113.8", nextCode())).status, 200);
  for (let n = 0; n < 10; n += 1)
    assert.equal(kindOf(await signInFrom(user.email, "203.0.113.8", wrongCodeOf(secret))), wrong);
  service.clock.advance(16 * MINUTE_MS);
  assert.equal(
    (await signInFrom(user.email, "203.0.113.8", nextCode())).status,
    429,
    "the codes' own hour",
  );
  assert.equal((await signInFrom(user.email, "198.51.100.8", nextCode())).status, 200);
});

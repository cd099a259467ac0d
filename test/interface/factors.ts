import assert from "node:assert/strict";
import { TOTP } from "otpauth";
import { type TestAnswer, type TestRequest, service, told } from "../harness.ts";

/** How long a code of an authenticator app is shown. */
const STEP_MS = 30_000;

/** What an authenticator app shows now, by the tests' clock. */
export function codeOf(secret: string, aheadMs = 0): string {
  const timestamp = service.clock.now().getTime() + aheadMs;
  return new TOTP({ secret }).generate({ timestamp });
}

/** A code that is none of this secret's around now. */
export function wrongCodeOf(secret: string): string {
  const near = new Set([-2, -1, 0, 1, 2].map((steps) => codeOf(secret, steps * STEP_MS)));
  const free = ["000000", "111111", "222222", "333333", "444444", "555555"];
  return free.find((code) => !near.has(code)) ?? assert.fail("six codes are not all near");
}

export interface TestFactor {
  secret: string;
  recoveryCodes: string[];
  /** A code that was not used: time goes on until there is another one. */
  nextCode: () => string;
}

/** Begins a second factor that waits for its code; answers its secret. */
export async function beginFactor(
  token: string,
  send: (path: string, request: TestRequest) => Promise<TestAnswer> = service.fetch,
): Promise<string> {
  const { status, body } = await send("/v1/auth/factor", { method: "POST", token });
  assert.equal(status, 201, JSON.stringify(body));
  told.remember("the secret of a second factor", body.secret);
  return body.secret;
}

/** Adds a second factor to the account of `token`. A test that takes codes puts the clock back afterwards. */
export async function addFactor(
  token: string,
  send: (path: string, request: TestRequest) => Promise<TestAnswer> = service.fetch,
): Promise<TestFactor> {
  const secret = await beginFactor(token, send);
  const json = { code: codeOf(secret) };
  const confirmed = await send("/v1/auth/factor/confirm", { token, json });
  assert.equal(confirmed.status, 200, JSON.stringify(confirmed.body));
  const { recoveryCodes } = confirmed.body;
  for (const code of recoveryCodes) told.remember("a recovery code", code);
  return {
    secret,
    recoveryCodes,
    nextCode() {
      service.clock.advance(STEP_MS);
      return codeOf(secret);
    },
  };
}

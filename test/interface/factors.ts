import assert from "node:assert/strict";
import { TOTP } from "otpauth";
import { type TestAnswer, type TestRequest, service, runLog } from "../harness.ts";

/** Validity of a code of an authenticator app. */
const STEP_MS = 30_000;

/** The code of an authenticator app by the tests' clock. */
export function codeOf(secret: string, aheadMs = 0): string {
  const timestamp = service.clock.now().getTime() + aheadMs;
  return new TOTP({ secret }).generate({ timestamp });
}

/** A code that this secret does not have around now. */
export function wrongCodeOf(secret: string): string {
  const near = new Set([-2, -1, 0, 1, 2].map((steps) => codeOf(secret, steps * STEP_MS)));
  const free = ["000000", "111111", "222222", "333333", "444444", "555555"];
  return free.find((code) => !near.has(code)) ?? assert.fail("not all six codes are valid now");
}

export interface TestFactor {
  secret: string;
  recoveryCodes: string[];
  /** An unused code: advances the clock to the next one. */
  nextCode: () => string;
}

/** Begins the setup of a second factor; returns its unconfirmed secret. */
export async function beginFactor(
  token: string,
  send: (path: string, request: TestRequest) => Promise<TestAnswer> = service.fetch,
): Promise<string> {
  const { status, body } = await send("/v1/auth/factor", { method: "POST", token });
  assert.equal(status, 201, JSON.stringify(body));
  runLog.remember("the secret of a second factor", body.secret);
  return body.secret;
}

/** Adds a second factor to the account of `token`. A test that uses codes resets the clock afterwards. */
export async function addFactor(
  token: string,
  send: (path: string, request: TestRequest) => Promise<TestAnswer> = service.fetch,
): Promise<TestFactor> {
  const secret = await beginFactor(token, send);
  const json = { code: codeOf(secret) };
  const confirmed = await send("/v1/auth/factor/confirm", { token, json });
  assert.equal(confirmed.status, 200, JSON.stringify(confirmed.body));
  const { recoveryCodes } = confirmed.body;
  for (const code of recoveryCodes) runLog.remember("a recovery code", code);
  return {
    secret,
    recoveryCodes,
    nextCode() {
      service.clock.advance(STEP_MS);
      return codeOf(secret);
    },
  };
}

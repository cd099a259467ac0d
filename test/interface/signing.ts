import { openTestDatabase } from "../database.ts";
import type { Passwords } from "../../packages/server/platform/crypto/passwords.ts";
import {
  type TestAnswer,
  type TestRequest,
  passwords as lowPasswords,
  service,
} from "../harness.ts";
import { newUserBy } from "./accounts.ts";
import { type AnotherService, openAnotherService } from "./another-service.ts";

/** A service with sign-in providers and users of its own. */
export interface Signing extends AnotherService {
  fetch(path: string, request?: TestRequest): Promise<TestAnswer>;
  newUser(): Promise<{ token: string; email: string; id: string }>;
  getMe(token: string): Promise<TestAnswer>;
}

/**
 * Starts it with `providers` as SIGN_IN_PROVIDERS. It has its own public URL, which providers redirect to,
 * and its own database, since nodes on one database have one URL.
 */
export async function openSigning(
  providers: object,
  env: Record<string, string> = {},
  passwords: Passwords = lowPasswords,
): Promise<Signing> {
  await using opened = new AsyncDisposableStack();
  const database = opened.use(await openTestDatabase());
  const settings = {
    CORS_ORIGINS: "https://admin.example",
    SIGN_IN_PROVIDERS: JSON.stringify(providers),
    ...env,
  };
  const avow = await openAnotherService(database.url, settings, service.clock.now, { passwords });
  opened.use(avow);
  const send = (path: string, request: TestRequest = {}) => service.fetch(avow.url + path, request);
  const owned = opened.move();
  return {
    ...avow,
    fetch: send,
    newUser: () => newUserBy(send),
    getMe: (token) => send("/v1/auth/me", { token }),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

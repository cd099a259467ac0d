import { paths } from "@avow/contract/urls";
import type { Http } from "../../../http/http.ts";
import { CookieSessionOut, SessionOut } from "../sessions/schema.ts";
import {
  type CookiesApp,
  answerCookieSession,
  answerSession,
  cookieDescription,
  toClient,
} from "../sessions/start-routes.ts";
import { BODY_BYTES_MAX } from "../users/schema.ts";
import type { PasswordsApp } from "./ports.ts";
import { SigninIn } from "./schema.ts";
import { signIn, verifyCredentials } from "./signin.ts";

/** Sign-in with a password, by JSON or a form. */
export function registerSignin(http: Http, app: PasswordsApp): void {
  http.post(
    paths.signin,
    {
      bodyLimit: BODY_BYTES_MAX,
      // Sign-in works on a nearly full disk, so that data can still be read.
      config: { diskSpace: "exempt" },
      schema: {
        tags: ["auth"],
        summary: "Sign in with a password",
        description:
          "For a user with a second factor, a correct password without `code` is answered with 401 and the type `/problems/code-needed`.",
        operationId: "signin",
        consumes: ["application/json", "application/x-www-form-urlencoded"],
        body: SigninIn,
        response: { 200: SessionOut },
      },
    },
    async (req, reply) => {
      const verified = await verify(app, req);
      const given = { ...verified, ...toClient(req) };
      return answerSession(app, { req, reply }, (ctx) => signIn(ctx, app, given));
    },
  );
}

/** The same sign-in, for a session in a cookie. */
export function registerCookieSignin(http: Http, app: PasswordsApp & CookiesApp): void {
  http.post(
    paths.session,
    {
      bodyLimit: BODY_BYTES_MAX,
      config: { diskSpace: "exempt" },
      schema: {
        tags: ["auth"],
        summary: "Sign a browser in with a password",
        description: `${cookieDescription} A second factor is required as for signin.`,
        operationId: "startSession",
        body: SigninIn,
        response: { 200: CookieSessionOut },
      },
    },
    async (req, reply) => {
      const verified = await verify(app, req);
      const given = { ...verified, ...toClient(req) };
      return answerCookieSession(app, { req, reply }, (ctx) => signIn(ctx, app, given));
    },
  );
}

function verify(app: PasswordsApp, { body, ip = "" }: { body: SigninIn; ip?: string }) {
  const { username, password, code } = body;
  return verifyCredentials(app, { username, password, code, ip, now: app.now() });
}

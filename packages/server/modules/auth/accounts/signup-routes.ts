import { paths } from "@avow/contract/urls";
import type { FastifyRequest } from "fastify";
import type { Http } from "../../../http/http.ts";
import { answerWrite } from "../../../http/write.ts";
import { CookieSessionOut, SessionOut } from "../sessions/schema.ts";
import { startFromAddress } from "../sessions/sessions.ts";
import {
  type CookiesApp,
  answerCookieSession,
  cookieDescription,
  toClient,
} from "../sessions/start-routes.ts";
import { toSessionOut } from "../sessions/views.ts";
import { BODY_BYTES_MAX } from "../users/schema.ts";
import { toAccount } from "./account.ts";
import type { AccountsApp } from "./ports.ts";
import { SignupIn } from "./schema.ts";
import { hashForSignup, signUp } from "./signup.ts";

const headers = () => ({ "cache-control": "no-store" });

/** Sign-up with a password, by JSON or a form. */
export function registerSignup(http: Http, app: AccountsApp): void {
  const { db, now, attempts, publicUrl } = app;
  http.post(
    paths.signup,
    {
      bodyLimit: BODY_BYTES_MAX,
      schema: {
        tags: ["auth"],
        summary: "Create a user with a password, and sign them in",
        operationId: "signup",
        description: "Returns a token that is valid for 15 days.",
        consumes: ["application/json", "application/x-www-form-urlencoded"],
        body: SignupIn,
        response: { 200: SessionOut },
      },
    },
    async (req, reply) => {
      const request = await toSignup(app, req, req.body);
      const from = { attempts, ip: req.ip ?? "" };
      return answerWrite({ db, now, req, reply, headers }, async (ctx) => {
        const session = await startFromAddress(ctx, from, (one) => signUp(one, app, request));
        return toSessionOut(session, publicUrl);
      });
    },
  );
}

/** The same sign-up, for a session in a cookie. */
export function registerCookieSignup(http: Http, app: AccountsApp & CookiesApp): void {
  http.post(
    paths.sessionSignup,
    {
      bodyLimit: BODY_BYTES_MAX,
      schema: {
        tags: ["auth"],
        summary: "Create a user with a password, and sign the browser in",
        description: cookieDescription,
        operationId: "startSessionBySignup",
        body: SignupIn,
        response: { 200: CookieSessionOut },
      },
    },
    async (req, reply) => {
      const request = await toSignup(app, req, req.body);
      return answerCookieSession(app, { req, reply }, (ctx) => signUp(ctx, app, request));
    },
  );
}

async function toSignup(app: AccountsApp, req: FastifyRequest, body: SignupIn) {
  const { password, invitationToken } = body;
  const account = toAccount(body);
  const passwordHash = await hashForSignup(app, { account, password, ip: req.ip ?? "" });
  return { account, passwordHash, invitationToken, ...toClient(req) };
}

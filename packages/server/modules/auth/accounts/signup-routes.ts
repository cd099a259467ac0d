import { paths } from "@avow/contract/urls";
import type { FastifyRequest } from "fastify";
import type { Http } from "../../../http/http.ts";
import { answerWrite } from "../../../http/write.ts";
import type { PasswordPlace } from "../passwords/policy.ts";
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
        description:
          "Returns a token that is valid for 15 days. Answers 403 when sign-ups are closed, or by invitation and the request has none (`getSignups`).",
        consumes: ["application/json", "application/x-www-form-urlencoded"],
        body: SignupIn,
        response: { 200: SessionOut },
      },
    },
    async (req, reply) => {
      const request = await toSignup(app, req, "interface");
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
      const request = await toSignup(app, req, "screens");
      return answerCookieSession(app, { req, reply }, (ctx) => signUp(ctx, app, request));
    },
  );
}

async function toSignup(
  app: AccountsApp,
  req: FastifyRequest<{ Body: SignupIn }>,
  place: PasswordPlace,
) {
  const { password, invitationToken, claimToken } = req.body;
  const account = toAccount(req.body);
  const tokens = { invitationToken, claimToken };
  const given = { account, password, ip: req.ip ?? "", place, ...tokens };
  return { account, passwordHash: await hashForSignup(app, given), ...tokens, ...toClient(req) };
}

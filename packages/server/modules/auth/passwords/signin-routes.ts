import formbody from "@fastify/formbody";
import type { FastifyRequest } from "fastify";
import { toCtx } from "../../../kernel/ctx.ts";
import { inTransaction } from "../../../platform/db/transaction.ts";
import type { Http } from "../../../http/http.ts";
import { answerWrite } from "../../../http/write.ts";
import { negotiateLanguage } from "../../../http/negotiation.ts";
import { toShortNetwork } from "../../../platform/networks.ts";
import { toUserAgentFamily } from "../../../platform/user-agent.ts";
import { paths } from "@avow/contract/urls";
import { toAccount } from "../accounts/account.ts";
import type { AuthApp } from "../ports.ts";
import { comeIn } from "../sessions/ports.ts";
import { mailLanguages } from "../../../platform/mail/languages.ts";
import { SessionOut, SigninIn, SignupIn } from "../users/schema.ts";
import { signIn, verifyCredentials } from "./signin.ts";
import { hashForSignup, signUp } from "../accounts/signup.ts";
import { toSessionOut } from "../sessions/views.ts";

const BODY_BYTES_MAX = 16 * 1024;
const secret = () => ({ "cache-control": "no-store" });

/** Sign-up and sign-in with a password; the two routes that take forms as well as JSON. */
export function registerLocalRoutes(http: Http, app: AuthApp): void {
  void http.register(async (scope: Http) => {
    await scope.register(formbody, { bodyLimit: BODY_BYTES_MAX });
    scope.addHook("preValidation", async (req) => {
      req.body = toFields(req);
    });
    registerSignup(scope, app);
    registerSignin(scope, app);
  });
}

/** No body at all is one without fields; an empty field of a form is one that was left out. */
function toFields(req: FastifyRequest): unknown {
  const { body } = req;
  const isForm = req.headers["content-type"]?.startsWith("application/x-www-form-urlencoded");
  if (body === undefined || !isForm) return body ?? {};
  return Object.fromEntries(Object.entries(body as object).filter(([, value]) => value !== ""));
}

/** A session is told apart by its client's family; the full user agent is not kept. */
function labelOf(req: FastifyRequest): string {
  return toUserAgentFamily(req.headers["user-agent"]);
}

function registerSignup(http: Http, app: AuthApp): void {
  const { db, now, config } = app;
  http.post(
    paths.signup,
    {
      bodyLimit: BODY_BYTES_MAX,
      schema: {
        tags: ["auth"],
        summary: "Make a user with a password, and sign them in",
        operationId: "signup",
        consumes: ["application/json", "application/x-www-form-urlencoded"],
        body: SignupIn,
        response: { 200: SessionOut },
      },
    },
    async (req, reply) => {
      const account = toAccount(req.body);
      const { password } = req.body;
      const from = { attempts: app.attempts, ip: req.ip ?? "" };
      const passwordHash = await hashForSignup(app, { account, password, ip: from.ip });
      const language = negotiateLanguage(req, mailLanguages);
      const { invitationToken } = req.body;
      const asked = { account, passwordHash, label: labelOf(req), language, invitationToken };
      return answerWrite({ db, now, req, reply, headers: secret }, async (ctx) =>
        toSessionOut(
          await comeIn(ctx, from, (one) => signUp(one, app, asked)),
          config.http.publicUrl,
        ),
      );
    },
  );
}

function registerSignin(http: Http, app: AuthApp): void {
  const { db, now, config } = app;
  http.post(
    paths.signin,
    {
      bodyLimit: BODY_BYTES_MAX,
      // Who wants to read has to come in.
      config: { room: "spared" },
      schema: {
        tags: ["auth"],
        summary: "Sign in with a password",
        description:
          "Where the user has a second factor, a right password without `code` is 401 with the type `/problems/code-needed`.",
        operationId: "signin",
        consumes: ["application/json", "application/x-www-form-urlencoded"],
        body: SigninIn,
        response: { 200: SessionOut },
      },
    },
    async (req, reply) => {
      const { username, password, code } = req.body;
      const at = now();
      const given = { username, password, code, ip: req.ip ?? "", now: at };
      const verified = await verifyCredentials(app, given);
      // Without answerWrite: a session is no resource, and an answer kept for an Idempotency-Key
      // would give a token again after it was revoked.
      const network = toShortNetwork(req.ip);
      const session = await inTransaction(db, (tx) =>
        signIn(toCtx({ tx, actor: req.actor, now: at, requestId: req.id, network }), app, {
          ...verified,
          label: labelOf(req),
          language: negotiateLanguage(req, mailLanguages),
        }),
      );
      void reply.headers(secret());
      return toSessionOut(session, config.http.publicUrl);
    },
  );
}

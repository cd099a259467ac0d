import type { FastifyReply, FastifyRequest } from "fastify";
import { type Static, Type } from "typebox";
import { type Ctx, toCtx } from "../../../kernel/ctx.ts";
import { inTransaction } from "../../../platform/db/transaction.ts";
import { Fault } from "../../../platform/errors.ts";
import type { Http } from "../../../http/http.ts";
import { negotiateLanguage } from "../../../http/negotiation.ts";
import { isFromOwnPage, openSessionCookies } from "../../../http/session-cookie.ts";
import { toShortNetwork } from "../../../platform/networks.ts";
import { toUserAgentFamily } from "../../../platform/user-agent.ts";
import { paths } from "@avow/contract/urls";
import { toAccount } from "../accounts/account.ts";
import type { AuthApp } from "../ports.ts";
import { comeIn } from "./ports.ts";
import { isOwnCode } from "../identities/handshake.ts";
import { mailLanguages } from "../../../platform/mail/languages.ts";
import { ResetIn } from "../passwords/schema.ts";
import { hashForReset, resetPassword } from "../passwords/resets.ts";
import { ExchangeIn, SessionOut, SigninIn, SignupIn } from "../users/schema.ts";
import { type Session, endReplaced, signOut } from "./sessions.ts";
import { signIn, verifyCredentials } from "../passwords/signin.ts";
import { hashForSignup, signUp } from "../accounts/signup.ts";
import { exchangeCode, proveExchange, unknownCode } from "../identities/providers.ts";
import { toLinks } from "./views.ts";

const BODY_BYTES_MAX = 16 * 1024;
const tags = ["auth"];
const description =
  "For pages of this service: the token is in a cookie that no script can read. 403 for a request of any other page.";

const CookieSessionOut = Type.Object(
  { expiresAt: SessionOut.properties.expiresAt, links: SessionOut.properties.links },
  { title: "CookieSession" },
);
const response = { 200: CookieSessionOut };

interface Sessions {
  app: AuthApp;
  cookies: ReturnType<typeof openSessionCookies>;
}

/**
 * Sessions of browsers: the same tokens, kept in a cookie (see `session-cookie.ts`) and never in an
 * answer. Only a page of this service starts one, so that nobody is signed in as somebody else unawares.
 */
export function registerSessionRoutes(http: Http, app: AuthApp): void {
  void http.register(async (scope: Http) => {
    scope.addHook("preValidation", async (req) => {
      if (!isFromOwnPage(req, app.publicUrl))
        throw new Fault("forbidden", "Sessions in a cookie are for pages of this service.");
    });
    const sessions = { app, cookies: openSessionCookies(app.publicUrl) };
    registerSignin(scope, sessions);
    registerSignup(scope, sessions);
    registerReset(scope, sessions);
    registerExchange(scope, sessions);
    registerEnd(scope, sessions);
  });
}

/** Starts a session by `verb`, sets its cookie, and ends the session that the cookie held. */
async function start(
  { app, cookies }: Sessions,
  { req, reply }: { req: FastifyRequest; reply: FastifyReply },
  verb: (ctx: Ctx) => Promise<Session>,
): Promise<Static<typeof CookieSessionOut>> {
  const { db, now, publicUrl, attempts } = app;
  const from = { attempts, ip: req.ip ?? "" };
  const network = toShortNetwork(req.ip);
  // Without answerWrite, as at sign-in: an answer that is kept would give a token again.
  const session = await inTransaction(db, async (tx) => {
    const ctx = toCtx({ tx, actor: req.actor, now: now(), requestId: req.id, network });
    const begun = await comeIn(ctx, from, verb);
    // Its cookie is another's from now on: nobody could end it.
    await endReplaced(ctx, cookies.find(req));
    return begun;
  });
  void reply.headers({ "set-cookie": cookies.set(session), "cache-control": "no-store" });
  return { expiresAt: session.expiresAt.toISOString(), links: toLinks(publicUrl) };
}

function labelOf(req: FastifyRequest): string {
  return toUserAgentFamily(req.headers["user-agent"]);
}

function registerSignin(http: Http, sessions: Sessions): void {
  const { app } = sessions;
  http.post(
    paths.session,
    {
      bodyLimit: BODY_BYTES_MAX,
      config: { room: "spared" },
      schema: {
        tags,
        summary: "Sign a browser in with a password",
        description: `${description} A second factor is asked for as by signin.`,
        operationId: "startSession",
        body: SigninIn,
        response,
      },
    },
    async (req, reply) => {
      const { username, password, code } = req.body;
      const given = { username, password, code, ip: req.ip ?? "", now: app.now() };
      const verified = await verifyCredentials(app, given);
      const language = negotiateLanguage(req, mailLanguages);
      return start(sessions, { req, reply }, (ctx) =>
        signIn(ctx, app, { ...verified, label: labelOf(req), language }),
      );
    },
  );
}

function registerSignup(http: Http, sessions: Sessions): void {
  const { app } = sessions;
  http.post(
    paths.sessionSignup,
    {
      bodyLimit: BODY_BYTES_MAX,
      schema: {
        tags,
        summary: "Make a user with a password, and sign the browser in",
        description,
        operationId: "startSessionBySignup",
        body: SignupIn,
        response,
      },
    },
    async (req, reply) => {
      const account = toAccount(req.body);
      const { password } = req.body;
      const passwordHash = await hashForSignup(app, { account, password, ip: req.ip ?? "" });
      const language = negotiateLanguage(req, mailLanguages);
      const { invitationToken } = req.body;
      const asked = { account, passwordHash, label: labelOf(req), language, invitationToken };
      return start(sessions, { req, reply }, (ctx) => signUp(ctx, app, asked));
    },
  );
}

function registerReset(http: Http, sessions: Sessions): void {
  const { app } = sessions;
  http.post(
    paths.sessionReset,
    {
      bodyLimit: BODY_BYTES_MAX,
      schema: {
        tags,
        summary: "Set a new password with a token that was mailed, and sign the browser in",
        description,
        operationId: "startSessionByReset",
        body: ResetIn,
        response,
      },
    },
    async (req, reply) => {
      const { token } = req.body;
      const proven = await hashForReset(app, { ...req.body, ip: req.ip ?? "" });
      const language = negotiateLanguage(req, mailLanguages);
      const given = { token, ...proven, label: labelOf(req), language };
      return start(sessions, { req, reply }, (ctx) => resetPassword(ctx, app, given));
    },
  );
}

function registerExchange(http: Http, sessions: Sessions): void {
  const { app } = sessions;
  http.post(
    paths.sessionExchange,
    {
      bodyLimit: BODY_BYTES_MAX,
      schema: {
        tags,
        summary: "Sign a browser in with the one-time code of a sign-in elsewhere",
        description: `${description} The code works in the browser that the sign-in began in.`,
        operationId: "startSessionByCode",
        body: ExchangeIn,
        response,
      },
    },
    async (req, reply) => {
      const { code, factorCode } = req.body;
      const isSecure = app.publicUrl.startsWith("https:");
      const own = { code, now: app.now(), isSecure };
      if (!isOwnCode(app.sealer, req.headers.cookie, own)) throw unknownCode();
      const proof = await proveExchange(app, { code, factorCode, ip: req.ip ?? "" });
      const language = negotiateLanguage(req, mailLanguages);
      const given = { code, proof, label: labelOf(req), language };
      return start(sessions, { req, reply }, (ctx) => exchangeCode(ctx, app, given));
    },
  );
}

function registerEnd(http: Http, { app, cookies }: Sessions): void {
  const { db, now } = app;
  http.delete(
    paths.session,
    {
      // Who is signed out already has a cookie to lose all the same.
      config: { room: "spared" },
      schema: {
        tags,
        summary: "Sign a browser out: its token is revoked, its cookie goes",
        description,
        operationId: "endSession",
        response: { 204: Type.Null() },
      },
    },
    async (req, reply) => {
      const { actor, id: requestId } = req;
      const network = toShortNetwork(req.ip);
      if (actor.kind === "user")
        await inTransaction(db, (tx) =>
          signOut(toCtx({ tx, actor, now: now(), requestId, network })),
        );
      void reply.headers({ "set-cookie": cookies.clear(), "cache-control": "no-store" }).code(204);
      return null;
    },
  );
}

import type { FastifyReply, FastifyRequest } from "fastify";
import type { Http } from "../../../http/http.ts";
import { negotiateLanguage } from "../../../http/files/negotiation.ts";
import {
  type SessionCookies,
  isFromOwnPage,
  openSessionCookies,
} from "../../../http/session-cookie.ts";
import { type Ctx, toCtx } from "../../../kernel/ctx.ts";
import { inTransaction } from "../../../platform/db/transaction.ts";
import { Fault } from "../../../platform/errors.ts";
import { type MailLanguage, mailLanguages } from "../../../platform/mail/languages.ts";
import { toShortNetwork } from "../../../platform/networks.ts";
import { toUserAgentFamily } from "../../../platform/user-agent.ts";
import type { SessionsApp } from "./ports.ts";
import type { CookieSessionOut, SessionOut } from "./schema.ts";
import { type Session, endReplaced, startFromAddress } from "./sessions.ts";
import { toLinks, toSessionOut } from "./views.ts";

interface Exchange {
  req: FastifyRequest;
  reply: FastifyReply;
}

export interface Client {
  /** Its kind, such as Firefox, to tell sessions apart; the full user agent is not kept. */
  label: string;
  language: MailLanguage;
}

export function toClient(req: FastifyRequest): Client {
  return {
    label: toUserAgentFamily(req.headers["user-agent"]),
    language: negotiateLanguage(req, mailLanguages),
  };
}

/**
 * Runs `start` in a transaction and answers its session. Not with answerWrite: a session is no resource, and an answer kept
 * for an Idempotency-Key would give a token again after it was revoked.
 */
export async function answerSession(
  app: SessionsApp,
  exchange: Exchange,
  start: (ctx: Ctx) => Promise<Session>,
): Promise<SessionOut> {
  const session = await startInTransaction(app, exchange.req, start);
  void exchange.reply.header("cache-control", "no-store");
  return toSessionOut(session, app.publicUrl);
}

export interface CookiesApp extends SessionsApp {
  cookies: SessionCookies;
}

export const cookieDescription =
  "For pages of this service: the token is in a cookie that no script can read. 403 for a request of any other page.";

/**
 * Registers routes for sessions of browsers: the same tokens, kept in a cookie (see `session-cookie.ts`) and never in an
 * answer. Only a page of this service starts one, so that no page signs a browser in as another user unnoticed.
 */
export function registerCookieRoutes<App extends SessionsApp>(
  http: Http,
  app: App,
  register: (scope: Http, app: App & CookiesApp) => void,
): void {
  void http.register(async (scope: Http) => {
    scope.addHook("preValidation", async (req) => {
      if (!isFromOwnPage(req, app.publicUrl))
        throw new Fault("forbidden", "Sessions in a cookie are for pages of this service.");
    });
    register(scope, { ...app, cookies: openSessionCookies(app.publicUrl) });
  });
}

/** The same as `answerSession` with the token in a cookie, and ends the session that the cookie held. */
export async function answerCookieSession(
  app: CookiesApp,
  { req, reply }: Exchange,
  start: (ctx: Ctx) => Promise<Session>,
): Promise<CookieSessionOut> {
  const { cookies, publicUrl } = app;
  const session = await startInTransaction(app, req, async (ctx) => {
    const started = await start(ctx);
    // Without its cookie nobody could end it.
    await endReplaced(ctx, cookies.find(req));
    return started;
  });
  void reply.headers({ "set-cookie": cookies.set(session), "cache-control": "no-store" });
  return { expiresAt: session.expiresAt.toISOString(), links: toLinks(publicUrl) };
}

/** Runs `start` in a transaction of a request, and remembers the address of its session. */
export function startInTransaction(
  app: SessionsApp,
  req: FastifyRequest,
  start: (ctx: Ctx) => Promise<Session>,
): Promise<Session> {
  const from = { attempts: app.attempts, ip: req.ip ?? "" };
  return runInTransaction(app, req, (ctx) => startFromAddress(ctx, from, start));
}

/** Runs a verb in a transaction of a request, without `answerWrite`: no answer is kept. */
export function runInTransaction<T>(
  { db, now }: Pick<SessionsApp, "db" | "now">,
  req: FastifyRequest,
  verb: (ctx: Ctx) => Promise<T>,
): Promise<T> {
  const { actor, id: requestId } = req;
  const network = toShortNetwork(req.ip);
  return inTransaction(db, (tx) => verb(toCtx({ tx, actor, now: now(), requestId, network })));
}

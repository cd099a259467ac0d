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
  /** The kind of client, such as Firefox, to distinguish sessions. The full user agent is not stored. */
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
 * Runs `start` in a transaction and returns its session. Not with answerWrite, since an answer stored for an
 * Idempotency-Key would return a token again after it was revoked.
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
  "For pages of this service: the token is in a cookie that scripts cannot read. Answers 403 to requests from other pages.";

/**
 * Registers routes for sessions of browsers: the same tokens, stored in a cookie (see `session-cookie.ts`) and never in a
 * response. Only pages of this service start one, so that no other page signs a browser in as another user unnoticed.
 */
export function registerCookieRoutes<App extends SessionsApp>(
  http: Http,
  app: App,
  register: (scope: Http, app: App & CookiesApp) => void,
): void {
  void http.register(async (scope: Http) => {
    scope.addHook("preValidation", async (req) => {
      if (!isFromOwnPage(req, app.publicUrl))
        throw new Fault("forbidden", "Cookie sessions are only for pages of this service.");
    });
    register(scope, { ...app, cookies: openSessionCookies(app.publicUrl) });
  });
}

/** The same as `answerSession` with the token in a cookie; ends the session of the previous cookie. */
export async function answerCookieSession(
  app: CookiesApp,
  { req, reply }: Exchange,
  start: (ctx: Ctx) => Promise<Session>,
): Promise<CookieSessionOut> {
  const { cookies, publicUrl } = app;
  const session = await startInTransaction(app, req, async (ctx) => {
    const started = await start(ctx);
    // The previous session, which could not be ended without its cookie.
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

/** Runs a verb in a transaction of a request, without `answerWrite`, so that no answer is stored. */
export function runInTransaction<T>(
  { db, now }: Pick<SessionsApp, "db" | "now">,
  req: FastifyRequest,
  verb: (ctx: Ctx) => Promise<T>,
): Promise<T> {
  const { actor, id: requestId } = req;
  const network = toShortNetwork(req.ip);
  return inTransaction(db, (tx) => verb(toCtx({ tx, actor, now: now(), requestId, network })));
}

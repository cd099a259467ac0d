import { paths } from "@avow/contract/urls";
import type { Http } from "../../../http/http.ts";
import { negotiateLanguage } from "../../../http/files/negotiation.ts";
import { openSessionCookies } from "../../../http/session-cookie.ts";
import { answerWrite } from "../../../http/write.ts";
import { type Actor, toScope } from "../../../kernel/actor.ts";
import { toAllowedUrl } from "../../../kernel/allowed-url.ts";
import { toLoginName } from "../../../kernel/logins.ts";
import { mailLanguages } from "../../../platform/mail/languages.ts";
import { findConfirmedFactor } from "../factors/store.ts";
import { toNetwork } from "../limits/network.ts";
import { assertFactorRecent } from "../sessions/recent.ts";
import { CookieSessionOut, SessionOut } from "../sessions/schema.ts";
import {
  type CookiesApp,
  answerCookieSession,
  answerSession,
  cookieDescription,
  toClient,
} from "../sessions/start-routes.ts";
import { toLinks } from "../sessions/views.ts";
import { getCaller } from "../users/users.ts";
import { SuccessOut, BODY_BYTES_MAX } from "../users/schema.ts";
import { listNames } from "../users/store.ts";
import { assertPasswordsMatch, changePassword, verifyCurrent } from "./change.ts";
import { type Confirmation, confirmSession, verifyConfirmation } from "./confirmations.ts";
import type { PasswordsApp } from "./ports.ts";
import { requestReset, hashForReset, resetPassword } from "./resets.ts";
import {
  ResetRequestIn,
  ConfirmIn,
  ConfirmedOut,
  PasswordChangeIn,
  PasswordChangedOut,
  PasswordRuleOut,
  ResetIn,
} from "./schema.ts";

const noStore = () => ({ "cache-control": "no-store" });

/** Changes a password with the current one, or with a mailed link (wire section 1). */
export function registerPasswordRoutes(http: Http, app: PasswordsApp): void {
  const { config, db, limiter, now, passwords, policy, publicUrl } = app;
  const tags = ["auth"];
  const allowed = { publicUrl, redirectUrls: config.http.redirectUrls };
  const cookies = openSessionCookies(publicUrl);
  http.get(
    paths.passwordRule,
    {
      schema: {
        tags,
        summary: "Get the rule for new passwords",
        operationId: "getPasswordRule",
        description:
          "The rule applies to new passwords only. `screens` is the rule of the service's own pages.",
        response: { 200: PasswordRuleOut },
      },
    },
    () => ({ ...policy.rules.interface, screens: policy.rules.screens }),
  );
  http.put(
    paths.updatePassword,
    {
      bodyLimit: BODY_BYTES_MAX,
      schema: {
        tags,
        summary: "Change the password; every other token of the user is revoked",
        description:
          "With a second factor, also send a code, unless this session has proved it within 15 minutes.",
        operationId: "updatePassword",
        body: PasswordChangeIn,
        response: { 200: PasswordChangedOut },
      },
    },
    async (req, reply) => {
      const { userId, tokenId } = getCaller(req.actor);
      const ip = req.ip ?? "";
      assertPasswordsMatch(req.body);
      const confirmation = await verifyFactor(app, req);
      const current = await verifyCurrent(app, { userId, password: req.body.current, ip });
      const names = await listNames(db, userId);
      // A session in a cookie is one of the service's own screens.
      const isScreen = req.headers.authorization === undefined && cookies.find(req) !== undefined;
      const place = isScreen ? "screens" : "interface";
      await policy.assertAccepted(req.body.new, { path: "/new", names, place });
      const passwordHash = await passwords.hash(req.body.new, toNetwork(ip));
      const language = negotiateLanguage(req, mailLanguages);
      return answerWrite({ db, now, req, reply, headers: noStore }, async (ctx) => {
        const given = { userId, passwordHash, language, exceptTokenId: tokenId };
        await changePassword(ctx, app, { ...given, current, confirmation });
        return { success: true as const, links: toLinks(publicUrl) };
      });
    },
  );
  http.post(
    paths.askReset,
    {
      bodyLimit: BODY_BYTES_MAX,
      schema: {
        tags,
        summary: "Mail a link that sets a new password; the same answer for every address",
        operationId: "askPasswordReset",
        description: "The response does not reveal whether the address has an account.",
        body: ResetRequestIn,
        response: { 200: SuccessOut },
      },
    },
    async (req, reply) => {
      const { email, resetUrl = publicUrl + paths.resetPage } = req.body;
      const url = toAllowedUrl(allowed, { path: "/resetUrl", given: resetUrl }).href;
      const language = negotiateLanguage(req, mailLanguages);
      const at = now();
      await limiter.count({ limit: "resets by network", key: [toNetwork(req.ip ?? "")], now: at });
      // Counted the same whether or not the address has an account.
      const key = [toLoginName(email)];
      const isMailed = await limiter.tryCount({ limit: "resets to address", key, now: at });
      return answerWrite({ db, now, req, reply, headers: noStore }, async (ctx) => {
        if (isMailed) await requestReset(ctx, app, { email, url, language });
        return { success: true as const };
      });
    },
  );
  http.post(
    paths.resetPassword,
    {
      bodyLimit: BODY_BYTES_MAX,
      schema: {
        tags,
        summary: "Set a new password with a token that was mailed; older tokens are revoked",
        operationId: "resetPassword",
        description: "Also removes sign-in methods that were not proven with this mailbox.",
        body: ResetIn,
        response: { 200: SessionOut },
      },
    },
    async (req, reply) => {
      const proven = await hashForReset(app, { ...req.body, ip: req.ip ?? "", place: "interface" });
      const given = { token: req.body.token, ...proven, ...toClient(req) };
      return answerSession(app, { req, reply }, (ctx) => resetPassword(ctx, app, given));
    },
  );
}

/**
 * Checks the second factor, if any, before the password, so that a stolen session neither learns whether a password is
 * correct nor makes its address a known one.
 */
async function verifyFactor(
  app: PasswordsApp,
  { actor, body, ip = "" }: { actor: Actor; body: PasswordChangeIn; ip?: string },
): Promise<Confirmation> {
  const { userId } = getCaller(actor);
  const { code } = body;
  if (code !== undefined && (await findConfirmedFactor(app.db, userId)))
    return verifyConfirmation(app, { userId, password: undefined, code, ip });
  await assertFactorRecent(app.db, { actor, scope: toScope(actor), now: app.now() });
  return undefined;
}

/** The same reset, for a session in a cookie. */
export function registerCookieReset(http: Http, app: PasswordsApp & CookiesApp): void {
  http.post(
    paths.sessionReset,
    {
      bodyLimit: BODY_BYTES_MAX,
      schema: {
        tags: ["auth"],
        summary: "Set a new password with a token that was mailed, and sign the browser in",
        description: cookieDescription,
        operationId: "startSessionByReset",
        body: ResetIn,
        response: { 200: CookieSessionOut },
      },
    },
    async (req, reply) => {
      const proven = await hashForReset(app, { ...req.body, ip: req.ip ?? "", place: "screens" });
      const given = { token: req.body.token, ...proven, ...toClient(req) };
      return answerCookieSession(app, { req, reply }, (ctx) => resetPassword(ctx, app, given));
    },
  );
}

/** Confirms a session, for changes that require a recent one. */
export function registerConfirmRoute(http: Http, app: PasswordsApp): void {
  const { db, now } = app;
  http.post(
    paths.confirm,
    {
      bodyLimit: BODY_BYTES_MAX,
      schema: {
        tags: ["auth"],
        summary: "Confirm the session, for changes that require a recent sign-in",
        description:
          "Send a code with a second factor, otherwise the password. Without either, sign in again.",
        operationId: "confirmSession",
        body: ConfirmIn,
        response: { 200: ConfirmedOut },
      },
    },
    async (req, reply) => {
      const { userId } = getCaller(req.actor);
      const given = { password: req.body.password, code: req.body.code, ip: req.ip ?? "" };
      const confirmation = await verifyConfirmation(app, { userId, ...given });
      const language = negotiateLanguage(req, mailLanguages);
      return answerWrite({ db, now, req, reply, headers: noStore }, async (ctx) => {
        const until = await confirmSession(ctx, app, { confirmation, language });
        return { confirmedUntil: until.toISOString() };
      });
    },
  );
}

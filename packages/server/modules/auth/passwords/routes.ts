import { type Actor, toScope } from "../../../kernel/actor.ts";
import { toCtx } from "../../../kernel/ctx.ts";
import { inTransaction } from "../../../platform/db/transaction.ts";
import type { Http } from "../../../http/http.ts";
import { negotiateLanguage } from "../../../http/negotiation.ts";
import { answerWrite } from "../../../http/write.ts";
import { toShortNetwork } from "../../../platform/networks.ts";
import { toUserAgentFamily } from "../../../platform/user-agent.ts";
import { paths } from "@avow/contract/urls";
import { toAllowedUrl } from "../../../kernel/allowed-url.ts";
import { listNames } from "../users/store.ts";
import type { AuthApp } from "../ports.ts";
import { getCaller } from "../users/caller.ts";
import { comeIn } from "../sessions/ports.ts";
import { type Shown, assertFactorRecent, verifyShown } from "./confirmations.ts";
import { findConfirmedFactor } from "../factors/store.ts";
import { mailLanguages } from "../../../platform/mail/languages.ts";
import { toNetwork } from "../limits/network.ts";
import {
  AskResetIn,
  AskedOut,
  PasswordChangeIn,
  PasswordChangedOut,
  PasswordRuleOut,
  ResetIn,
} from "./schema.ts";
import { assertConfirmed, changePassword, verifyCurrent } from "./change.ts";
import { askReset, hashForReset, resetPassword } from "./resets.ts";
import { SessionOut } from "../users/schema.ts";
import { findPasswordHash } from "../sessions/store.ts";
import { toLinks, toSessionOut } from "../sessions/views.ts";

const BODY_BYTES_MAX = 16 * 1024;
const secret = () => ({ "cache-control": "no-store" });

/** A new password: by the present one, or by a link that was mailed (wire section 1). */
export function registerPasswordRoutes(http: Http, app: AuthApp): void {
  registerRule(http, app);
  registerChange(http, app);
  registerAsk(http, app);
  registerReset(http, app);
}

function registerRule(http: Http, { policy }: AuthApp): void {
  http.get(
    paths.passwordRule,
    {
      schema: {
        tags: ["auth"],
        summary: "What a new password has to be",
        operationId: "getPasswordRule",
        response: { 200: PasswordRuleOut },
      },
    },
    () => policy.rule,
  );
}

function registerChange(http: Http, app: AuthApp): void {
  const { db, now, passwords, policy, attempts, publicUrl } = app;
  http.put(
    paths.updatePassword,
    {
      bodyLimit: BODY_BYTES_MAX,
      schema: {
        tags: ["auth"],
        summary: "Change the password; every other token of the user is revoked",
        description:
          "Who has a second factor sends a code of it too, or has shown it in this session within 15 minutes.",
        operationId: "updatePassword",
        body: PasswordChangeIn,
        response: { 200: PasswordChangedOut },
      },
    },
    async (req, reply) => {
      const { userId, tokenId } = getCaller(req.actor);
      const network = toNetwork(req.ip ?? "");
      assertConfirmed(req.body);
      const shown = await verifyFactor(app, req);
      const current = await findPasswordHash(db, userId);
      await verifyCurrent(attempts, { userId, ip: req.ip ?? "", now: now() }, () =>
        passwords.verify(current, req.body.current, network),
      );
      await policy.assertTaken(req.body.new, { path: "/new", names: await listNames(db, userId) });
      const passwordHash = await passwords.hash(req.body.new, network);
      const language = negotiateLanguage(req, mailLanguages);
      return answerWrite({ db, now, req, reply, headers: secret }, async (ctx) => {
        const given = { userId, passwordHash, language, exceptTokenId: tokenId, current, shown };
        await changePassword(ctx, app, given);
        return { success: true as const, links: toLinks(publicUrl) };
      });
    },
  );
}

/**
 * Looks at the second factor of who has one before the password, so that a thief's session neither learns whether a
 * password is right nor makes its address a known one.
 */
async function verifyFactor(
  app: AuthApp,
  { actor, body, ip = "" }: { actor: Actor; body: PasswordChangeIn; ip?: string },
): Promise<Shown> {
  const { userId } = getCaller(actor);
  const { code } = body;
  if (code !== undefined && (await findConfirmedFactor(app.db, userId)))
    return verifyShown(app, { userId, password: undefined, code, ip });
  await assertFactorRecent(app.db, { actor, scope: toScope(actor), now: app.now() });
  return undefined;
}

function registerAsk(http: Http, app: AuthApp): void {
  const { db, now, asks, publicUrl, config } = app;
  const places = { publicUrl, redirectUrls: config.http.redirectUrls };
  http.post(
    paths.askReset,
    {
      bodyLimit: BODY_BYTES_MAX,
      schema: {
        tags: ["auth"],
        summary: "Mail a link that sets a new password; the same answer for every address",
        operationId: "askPasswordReset",
        body: AskResetIn,
        response: { 200: AskedOut },
      },
    },
    async (req, reply) => {
      const { email, resetUrl = publicUrl + paths.resetPage } = req.body;
      const url = toAllowedUrl(places, { path: "/resetUrl", given: resetUrl }).href;
      const language = negotiateLanguage(req, mailLanguages);
      const by = toNetwork(req.ip ?? "");
      const isRoom = await asks.take({ what: "reset", by, to: email, now: now() });
      return answerWrite({ db, now, req, reply, headers: secret }, async (ctx) => {
        if (isRoom) await askReset(ctx, app, { email, url, language });
        return { success: true as const };
      });
    },
  );
}

function registerReset(http: Http, app: AuthApp): void {
  const { db, now, publicUrl } = app;
  http.post(
    paths.resetPassword,
    {
      bodyLimit: BODY_BYTES_MAX,
      schema: {
        tags: ["auth"],
        summary: "Set a new password with a token that was mailed; older tokens are revoked",
        operationId: "resetPassword",
        body: ResetIn,
        response: { 200: SessionOut },
      },
    },
    async (req, reply) => {
      const { token } = req.body;
      const proven = await hashForReset(app, { ...req.body, ip: req.ip ?? "" });
      const at = now();
      const language = negotiateLanguage(req, mailLanguages);
      const label = toUserAgentFamily(req.headers["user-agent"]);
      const network = toShortNetwork(req.ip);
      // Without answerWrite, as at sign-in: an answer that is kept would give a token again.
      const from = { attempts: app.attempts, ip: req.ip ?? "" };
      const given = { token, ...proven, label, language };
      const session = await inTransaction(db, (tx) =>
        comeIn(toCtx({ tx, actor: req.actor, now: at, requestId: req.id, network }), from, (ctx) =>
          resetPassword(ctx, app, given),
        ),
      );
      void reply.headers(secret());
      return toSessionOut(session, publicUrl);
    },
  );
}

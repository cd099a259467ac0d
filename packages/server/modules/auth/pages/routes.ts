import formbody from "@fastify/formbody";
import { paths } from "@avow/contract/urls";
import type { FastifyReply, FastifyRequest } from "fastify";
import { type Static, Type } from "typebox";
import type { Http } from "../../../http/http.ts";
import { negotiateLanguage } from "../../../http/files/negotiation.ts";
import { problems } from "../../../http/errors/problems.ts";
import { toCtx } from "../../../kernel/ctx.ts";
import { Fault } from "../../../platform/errors.ts";
import { type MailLanguage, mailLanguages } from "../../../platform/mail/languages.ts";
import { toAccount } from "../accounts/account.ts";
import type { AccountsApp } from "../accounts/ports.ts";
import { hashForSignup, signUp } from "../accounts/signup.ts";
import { getTokenUser, validateEmail } from "../addresses/validations.ts";
import { useProof } from "../factors/proofs.ts";
import { Code } from "../factors/schema.ts";
import { findConfirmedFactor } from "../factors/store.ts";
import { readSignups } from "../instance/signups.ts";
import { acceptInvitation, getInvitation } from "../invitations/invitations.ts";
import { toAddressHint } from "../../../platform/mail/address-hint.ts";
import { notices, toNoticePage } from "../notices/notices.ts";
import { pageHeaders } from "../../../platform/text/account-page.ts";
import { type PasswordPolicy, PasswordRejected } from "../passwords/policy.ts";
import { findReset, hashForReset, resetPassword } from "../passwords/resets.ts";
import { ResetIn } from "../passwords/schema.ts";
import { verifyCredentials } from "../passwords/signin.ts";
import { runInTransaction, startInTransaction, toClient } from "../sessions/start-routes.ts";
import { BODY_BYTES_MAX, OneTimeToken, Password, type Role } from "../users/schema.ts";
import { assertEnabled } from "../users/users.ts";
import { toConfirmPage, toInvitationPage, toResetPage } from "./forms.ts";
import { pageWords } from "./words.ts";

const TokenIn = Type.Object({ token: OneTimeToken });
const AcceptIn = Type.Object({
  token: OneTimeToken,
  email: Type.String({ maxLength: 254 }),
  password: Password,
  code: Type.Optional(Code),
  do: Type.Enum(["signup", "signin"]),
});

const byToken = { schema: { hide: true, querystring: TokenIn } } as const;

/** The pages of mailed links, for operators without pages of their own. */
export function registerAccountPages(http: Http, app: AccountsApp): void {
  void http.register(async (scope: Http) => {
    await scope.register(formbody, { bodyLimit: BODY_BYTES_MAX });
    scope.addHook("preHandler", async (_req, reply) => {
      void reply.headers(pageHeaders).type("text/html; charset=utf-8");
    });
    registerResetPage(scope, app);
    registerInvitationPage(scope, app);
    registerConfirmPages(scope, app);
  });
}

/** The text of an error that the sender can fix; rethrows any other. */
function toErrorText(
  error: unknown,
  {
    language,
    reply,
    policy,
  }: { language: MailLanguage; reply: FastifyReply; policy: PasswordPolicy },
): string {
  if (!(error instanceof Fault)) throw error;
  const { faults, rejected, tooMany } = pageWords[language];
  const { kind, retryAfterSeconds } = error;
  void reply.code(problems[kind].status);
  if (retryAfterSeconds !== undefined) void reply.header("retry-after", retryAfterSeconds);
  if (error instanceof PasswordRejected) return rejected[error.as](policy.rules.screens.lengthMin);
  if (kind === "too-many") return tooMany(Math.ceil((retryAfterSeconds ?? 60) / 60));
  return faults[kind] ?? faults.other;
}

function toExpired(language: MailLanguage, reply: FastifyReply): string {
  void reply.code(404);
  return toNoticePage(language, notices[language].expired);
}

/** The page for an unknown or expired link; rethrows any other error. */
function toExpiredFor(error: unknown, language: MailLanguage, reply: FastifyReply): string {
  if (error instanceof Fault && error.kind === "not-found") return toExpired(language, reply);
  throw error;
}

function registerResetPage(http: Http, app: AccountsApp): void {
  const { db, now, policy } = app;
  const rule = policy.rules.screens;
  /** Whether the token's user has a second factor; undefined for an invalid token. */
  const findNeedsCode = async (token: string): Promise<boolean | undefined> => {
    try {
      const { userId } = await findReset(db, token, now());
      return (await findConfirmedFactor(db, userId)) !== undefined;
    } catch (error) {
      if (error instanceof Fault) return undefined;
      throw error;
    }
  };
  http.get(paths.resetPage, byToken, async (req, reply) => {
    const { token } = req.query;
    const language = negotiateLanguage(req, mailLanguages);
    const needsCode = await findNeedsCode(token);
    if (needsCode === undefined) return toExpired(language, reply);
    return toResetPage({ language, token, needsCode, fault: undefined, rule });
  });
  http.post(
    paths.resetPage,
    { bodyLimit: BODY_BYTES_MAX, schema: { hide: true, body: ResetIn } },
    async (req, reply) => {
      const { token } = req.body;
      const client = toClient(req);
      const { language } = client;
      const needsCode = await findNeedsCode(token);
      if (needsCode === undefined) return toExpired(language, reply);
      try {
        const proven = await hashForReset(app, {
          ...req.body,
          ip: req.ip ?? "",
          place: "screens",
        });
        const given = { token, ...proven, ...client };
        await startInTransaction(app, req, (ctx) => resetPassword(ctx, app, given));
      } catch (error) {
        const fault = toErrorText(error, { language, reply, policy });
        return toResetPage({ language, token, needsCode, fault, rule });
      }
      const { title, done } = pageWords[language].reset;
      return toNoticePage(language, { title, lead: done });
    },
  );
}

function registerInvitationPage(http: Http, app: AccountsApp): void {
  const { db, now } = app;
  http.get(paths.invitationPage, byToken, async (req, reply) => {
    const { token } = req.query;
    return showInvitation(app, req, reply, { token });
  });
  http.post(
    paths.invitationPage,
    { bodyLimit: BODY_BYTES_MAX, schema: { hide: true, body: AcceptIn } },
    async (req, reply) => {
      const { token, email } = req.body;
      const language = negotiateLanguage(req, mailLanguages);
      const { invitation } = pageWords[language];
      try {
        const { is_bound: isBound } = await getInvitation(db, app, { token, now: now() });
        await acceptAs(app, req, req.body);
        if (isBound && req.body.do === "signup")
          return toNoticePage(language, { title: invitation.title, lead: invitation.toConfirm });
      } catch (error) {
        if (error instanceof Fault && error.kind === "not-found") return toExpired(language, reply);
        const text = toErrorText(error, { language, reply, policy: app.policy });
        // Only an account can be refused for its address.
        const isClosed =
          error instanceof Fault && error.kind === "forbidden" && req.body.do === "signup";
        const fault = isClosed ? pageWords[language].closed : text;
        const needsCode =
          error instanceof Fault && (error.kind === "code-needed" || error.kind === "wrong-code");
        return showInvitation(app, req, reply, { token, email, fault, needsCode });
      }
      const { title, done } = invitation;
      return toNoticePage(language, { title, lead: done });
    },
  );
}

/** Confirms an address with a button, which programs that open every link of a mail do not press. */
function registerConfirmPages(http: Http, app: AccountsApp): void {
  const { db, now } = app;
  http.get(paths.confirmPage, byToken, async (req, reply) => {
    const { token } = req.query;
    const language = negotiateLanguage(req, mailLanguages);
    try {
      const { email } = await getTokenUser(db, { token, now: now() });
      return toConfirmPage({ language, token, email });
    } catch (error) {
      return toExpiredFor(error, language, reply);
    }
  });
  http.post(
    paths.confirmPage,
    { bodyLimit: BODY_BYTES_MAX, schema: { hide: true, body: TokenIn } },
    async (req, reply) => {
      const language = negotiateLanguage(req, mailLanguages);
      try {
        await runInTransaction(app, req, (ctx) => validateEmail(ctx, req.body.token));
      } catch (error) {
        return toExpiredFor(error, language, reply);
      }
      return toNoticePage(language, notices[language].confirmed);
    },
  );
  http.get(
    paths.confirmedPage,
    { schema: { hide: true, querystring: Type.Object({ state: Type.Optional(Type.String()) }) } },
    async (req) => {
      const language = negotiateLanguage(req, mailLanguages);
      const isExpired = req.query.state === "expired";
      return toNoticePage(language, notices[language][isExpired ? "expired" : "confirmed"]);
    },
  );
}

async function showInvitation(
  app: AccountsApp,
  req: FastifyRequest,
  reply: FastifyReply,
  shown: { token: string; email?: string; fault?: string; needsCode?: boolean },
): Promise<string> {
  const { token, fault, needsCode = false } = shown;
  const language = negotiateLanguage(req, mailLanguages);
  try {
    const invitation = await getInvitation(app.db, app, { token, now: app.now() });
    const { title, inviter, is_bound: isBound } = invitation;
    const email = shown.email ?? (isBound ? "" : invitation.email);
    const boundTo = isBound ? toAddressHint(invitation.email) : undefined;
    const role = invitation.role as Role;
    const rule = app.policy.rules.screens;
    const canSignUp = (await readSignups(app.db, app)).mode !== "closed";
    const brand = invitation.brand?.name;
    const invited = { title, inviter, role, email, boundTo, brand };
    const page = { ...invited, language, token, fault, needsCode, canSignUp, rule };
    return toInvitationPage(page);
  } catch (error) {
    return toExpiredFor(error, language, reply);
  }
}

/**
 * Accepts with a new account, or with an existing one, whose password is checked as at sign-in. A new account cannot
 * accept an invitation that is bound to its address before it has confirmed the address.
 */
async function acceptAs(
  app: AccountsApp,
  req: FastifyRequest,
  given: Static<typeof AcceptIn>,
): Promise<void> {
  const { token, email, password, code } = given;
  const ip = req.ip ?? "";
  const client = toClient(req);
  if (given.do === "signup") {
    const account = toAccount({ email, password });
    const chosen = { account, password, ip, place: "screens", invitationToken: token } as const;
    const passwordHash = await hashForSignup(app, chosen);
    const request = { account, passwordHash, ...client, invitationToken: token };
    await startInTransaction(app, req, (ctx) => signUp(ctx, app, request));
    return;
  }
  const credentials = { username: email, password, code, ip, now: app.now() };
  const { userId, proof } = await verifyCredentials(app, credentials);
  const { language } = client;
  await runInTransaction(app, req, async (visit) => {
    const ctx = toCtx({ ...visit, actor: { kind: "user", userId, tokenId: "" } });
    await assertEnabled(ctx, userId);
    await useProof(ctx, app, { userId, proof, language });
    await acceptInvitation(ctx, app, token);
  });
}

import formbody from "@fastify/formbody";
import type { FastifyReply, FastifyRequest } from "fastify";
import { type Static, Type } from "typebox";
import { toCtx } from "../../../kernel/ctx.ts";
import { inTransaction } from "../../../platform/db/transaction.ts";
import { Fault } from "../../../platform/errors.ts";
import type { Http } from "../../../http/http.ts";
import { negotiateLanguage } from "../../../http/negotiation.ts";
import { problems } from "../../../http/problems.ts";
import { toShortNetwork } from "../../../platform/networks.ts";
import { toUserAgentFamily } from "../../../platform/user-agent.ts";
import { paths } from "@avow/contract/urls";
import { toAccount } from "../accounts/account.ts";
import { comeIn } from "../sessions/ports.ts";
import { assertEnabled } from "../accounts/disable.ts";
import type { AuthApp } from "../ports.ts";
import { useProof } from "../factors/proofs.ts";
import { Code } from "../factors/schema.ts";
import { findConfirmedFactor } from "../factors/store.ts";
import { acceptInvitation, getInvitation } from "../invitations/invitations.ts";
import { type MailLanguage, mailLanguages } from "../../../platform/mail/languages.ts";
import { type PasswordPolicy, PasswordRefused } from "../passwords/policy.ts";
import { pageHeaders } from "../notices/page.ts";
import { toConfirmPage, toInvitationPage, toNotePage, toResetPage } from "./forms.ts";
import { pageWords } from "./words.ts";
import { findReset, hashForReset, resetPassword } from "../passwords/resets.ts";
import { OneTimeToken, Password, type Role } from "../users/schema.ts";
import { verifyCredentials } from "../passwords/signin.ts";
import { getConfirmed, validateEmail } from "../addresses/validations.ts";
import { hashForSignup, signUp } from "../accounts/signup.ts";

const BODY_BYTES_MAX = 16 * 1024;
const hidden = { schema: { hide: true } } as const;
const TokenIn = Type.Object({ token: OneTimeToken });
const ResetIn = Type.Object({
  token: OneTimeToken,
  password: Password,
  code: Type.Optional(Code),
});
const AcceptIn = Type.Object({
  token: OneTimeToken,
  email: Type.String({ maxLength: 254 }),
  password: Password,
  code: Type.Optional(Code),
  do: Type.Enum(["signup", "signin"]),
});

/** The pages that mailed links lead to, where no application of the operator's has its own. */
export function registerAccountPages(http: Http, app: AuthApp): void {
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

/** The words for what the sender can mend; throws anything else on. */
function toWords(
  error: unknown,
  {
    language,
    reply,
    policy,
  }: { language: MailLanguage; reply: FastifyReply; policy: PasswordPolicy },
): string {
  if (!(error instanceof Fault)) throw error;
  const { faults, refused, tooMany } = pageWords[language];
  const { kind, retryAfterSeconds } = error;
  void reply.code(problems[kind].status);
  if (retryAfterSeconds !== undefined) void reply.header("retry-after", retryAfterSeconds);
  if (error instanceof PasswordRefused) return refused[error.as](policy.rule.lengthMin);
  if (kind === "too-many") return tooMany(Math.ceil((retryAfterSeconds ?? 60) / 60));
  return faults[kind] ?? faults.other;
}

function toExpired(language: MailLanguage, reply: FastifyReply): string {
  void reply.code(404);
  return toNotePage(language, pageWords[language].expired);
}

/** The page for a link that is unknown or has ended; throws anything else on. */
function toExpiredOf(error: unknown, language: MailLanguage, reply: FastifyReply): string {
  if (error instanceof Fault && error.kind === "not-found") return toExpired(language, reply);
  throw error;
}

function toRequest(req: FastifyRequest) {
  return {
    actor: req.actor,
    requestId: req.id,
    network: toShortNetwork(req.ip),
    label: toUserAgentFamily(req.headers["user-agent"]),
    language: negotiateLanguage(req, mailLanguages),
  };
}

function registerResetPage(http: Http, app: AuthApp): void {
  const { db, now, policy } = app;
  const { rule } = policy;
  /** Whether whose token it is has a second factor; undefined where it is of nobody. */
  const findNeed = async (token: string): Promise<boolean | undefined> => {
    try {
      const { userId } = await findReset(db, token, now());
      return (await findConfirmedFactor(db, userId)) !== undefined;
    } catch (error) {
      if (error instanceof Fault) return undefined;
      throw error;
    }
  };
  http.get(
    paths.resetPage,
    { ...hidden, schema: { hide: true, querystring: TokenIn } },
    async (req, reply) => {
      const { token } = req.query;
      const language = negotiateLanguage(req, mailLanguages);
      const needsCode = await findNeed(token);
      if (needsCode === undefined) return toExpired(language, reply);
      return toResetPage({ language, token, needsCode, fault: undefined, rule });
    },
  );
  http.post(
    paths.resetPage,
    { ...hidden, bodyLimit: BODY_BYTES_MAX, schema: { hide: true, body: ResetIn } },
    async (req, reply) => {
      const { token } = req.body;
      const { label, language, ...rest } = toRequest(req);
      const needsCode = await findNeed(token);
      if (needsCode === undefined) return toExpired(language, reply);
      const at = now();
      const from = { attempts: app.attempts, ip: req.ip ?? "" };
      try {
        const proven = await hashForReset(app, { ...req.body, ip: from.ip });
        await inTransaction(db, (tx) =>
          comeIn(toCtx({ ...rest, tx, now: at }), from, (ctx) =>
            resetPassword(ctx, app, { token, ...proven, label, language }),
          ),
        );
      } catch (error) {
        const fault = toWords(error, { language, reply, policy });
        return toResetPage({ language, token, needsCode, fault, rule });
      }
      const { title, done } = pageWords[language].reset;
      return toNotePage(language, { title, lead: done });
    },
  );
}

function registerInvitationPage(http: Http, app: AuthApp): void {
  const { db, now } = app;
  http.get(
    paths.invitationPage,
    { ...hidden, schema: { hide: true, querystring: TokenIn } },
    async (req, reply) => {
      const { token } = req.query;
      return showInvitation(app, req, reply, { token });
    },
  );
  http.post(
    paths.invitationPage,
    { ...hidden, bodyLimit: BODY_BYTES_MAX, schema: { hide: true, body: AcceptIn } },
    async (req, reply) => {
      const { token, email } = req.body;
      const language = negotiateLanguage(req, mailLanguages);
      try {
        await getInvitation(db, app, { token, now: now() });
        await acceptAs(app, req, req.body);
      } catch (error) {
        if (error instanceof Fault && error.kind === "not-found") return toExpired(language, reply);
        const fault = toWords(error, { language, reply, policy: app.policy });
        const needsCode =
          error instanceof Fault && (error.kind === "code-needed" || error.kind === "wrong-code");
        return showInvitation(app, req, reply, { token, email, fault, needsCode });
      }
      const { title, done } = pageWords[language].invitation;
      return toNotePage(language, { title, lead: done });
    },
  );
}

/** An address is confirmed by a button: programs that open every link of a mail press none. */
function registerConfirmPages(http: Http, app: AuthApp): void {
  const { db, now } = app;
  http.get(
    paths.confirmPage,
    { ...hidden, schema: { hide: true, querystring: TokenIn } },
    async (req, reply) => {
      const { token } = req.query;
      const language = negotiateLanguage(req, mailLanguages);
      try {
        const { email } = await getConfirmed(db, { token, now: now() });
        return toConfirmPage({ language, token, email });
      } catch (error) {
        return toExpiredOf(error, language, reply);
      }
    },
  );
  http.post(
    paths.confirmPage,
    { ...hidden, bodyLimit: BODY_BYTES_MAX, schema: { hide: true, body: TokenIn } },
    async (req, reply) => {
      const { actor, requestId, network, language } = toRequest(req);
      try {
        await inTransaction(db, (tx) =>
          validateEmail(toCtx({ actor, requestId, network, tx, now: now() }), req.body.token),
        );
      } catch (error) {
        return toExpiredOf(error, language, reply);
      }
      return toNotePage(language, pageWords[language].confirmed);
    },
  );
  http.get(
    paths.confirmedPage,
    {
      ...hidden,
      schema: { hide: true, querystring: Type.Object({ state: Type.Optional(Type.String()) }) },
    },
    async (req) => {
      const language = negotiateLanguage(req, mailLanguages);
      const isExpired = req.query.state === "expired";
      return toNotePage(language, pageWords[language][isExpired ? "expired" : "confirmed"]);
    },
  );
}

async function showInvitation(
  app: AuthApp,
  req: FastifyRequest,
  reply: FastifyReply,
  shown: { token: string; email?: string; fault?: string; needsCode?: boolean },
): Promise<string> {
  const { token, fault, needsCode = false } = shown;
  const language = negotiateLanguage(req, mailLanguages);
  try {
    const invitation = await getInvitation(app.db, app, { token, now: app.now() });
    const { title, inviter } = invitation;
    const email = shown.email ?? invitation.email;
    const role = invitation.role as Role;
    const { rule } = app.policy;
    const page = { language, token, fault, email, needsCode, title, inviter, role, rule };
    return toInvitationPage(page);
  } catch (error) {
    return toExpiredOf(error, language, reply);
  }
}

/** Accepts with a new account, or with one that is there, whose password is checked as at sign-in. */
async function acceptAs(
  app: AuthApp,
  req: FastifyRequest,
  given: Static<typeof AcceptIn>,
): Promise<void> {
  const { db, now, attempts } = app;
  const { token, email, password, code } = given;
  const { label, language, ...rest } = toRequest(req);
  const at = now();
  if (given.do === "signup") {
    const account = toAccount({ email, password });
    const passwordHash = await hashForSignup(app, { account, password, ip: req.ip ?? "" });
    const asked = { account, passwordHash, label, language, invitationToken: token };
    const from = { attempts, ip: req.ip ?? "" };
    await inTransaction(db, (tx) =>
      comeIn(toCtx({ ...rest, tx, now: at }), from, (ctx) => signUp(ctx, app, asked)),
    );
    return;
  }
  const credentials = { username: email, password, code, ip: req.ip ?? "", now: at };
  const { userId, proof } = await verifyCredentials(app, credentials);
  const actor = { kind: "user", userId, tokenId: "" } as const;
  await inTransaction(db, async (tx) => {
    const ctx = toCtx({ ...rest, actor, tx, now: at });
    await assertEnabled(ctx, userId);
    await useProof(ctx, app, { userId, proof, language });
    await acceptInvitation(ctx, app, token);
  });
}

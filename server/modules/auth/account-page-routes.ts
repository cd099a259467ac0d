import formbody from "@fastify/formbody";
import type { FastifyReply, FastifyRequest } from "fastify";
import { Type } from "typebox";
import { toCtx } from "../../platform/ctx.ts";
import { inTransaction } from "../../platform/db/transaction.ts";
import { Fault } from "../../platform/errors.ts";
import type { Http } from "../../platform/http/http.ts";
import { negotiateLanguage } from "../../platform/http/negotiation.ts";
import { problems } from "../../platform/http/problems.ts";
import { toShortNetwork } from "../../platform/networks.ts";
import { toUserAgentFamily } from "../../platform/user-agent.ts";
import { paths } from "../../paths.ts";
import { toAccount } from "./account.ts";
import { comeIn } from "./coming-in.ts";
import { toNetwork } from "./network.ts";
import type { AuthApp } from "./app.ts";
import { acceptInvitation, getInvitation } from "./invitations.ts";
import { type MailLanguage, mailLanguages } from "../../platform/mail/languages.ts";
import { pageHeaders } from "./pages/page.ts";
import { toConfirmPage, toInvitationPage, toNotePage, toResetPage } from "./pages/forms.ts";
import { pageWords } from "./pages/words.ts";
import { assertResetToken, resetPassword } from "./resets.ts";
import { OneTimeToken, Password, type Role } from "./schema.ts";
import { verifyCredentials } from "./signin.ts";
import { getConfirmed, validateEmail } from "./validations.ts";
import { hashForSignup, signUp } from "./signup.ts";

const BODY_BYTES_MAX = 16 * 1024;
const hidden = { schema: { hide: true } } as const;
const TokenIn = Type.Object({ token: OneTimeToken });
const ResetIn = Type.Object({ token: OneTimeToken, password: Password });
const AcceptIn = Type.Object({
  token: OneTimeToken,
  email: Type.String({ maxLength: 254 }),
  password: Password,
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
function toWords(error: unknown, language: MailLanguage, reply: FastifyReply): string {
  if (!(error instanceof Fault)) throw error;
  const { faults } = pageWords[language];
  void reply.code(problems[error.kind].status);
  return faults[error.kind] ?? faults.other;
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
  const { db, now, passwords } = app;
  const isGood = async (token: string): Promise<boolean> => {
    try {
      await assertResetToken(db, token, now());
      return true;
    } catch (error) {
      if (error instanceof Fault) return false;
      throw error;
    }
  };
  http.get(
    paths.resetPage,
    { ...hidden, schema: { hide: true, querystring: TokenIn } },
    async (req, reply) => {
      const { token } = req.query;
      const language = negotiateLanguage(req, mailLanguages);
      if (!(await isGood(token))) return toExpired(language, reply);
      return toResetPage({ language, token, fault: undefined });
    },
  );
  http.post(
    paths.resetPage,
    { ...hidden, bodyLimit: BODY_BYTES_MAX, schema: { hide: true, body: ResetIn } },
    async (req, reply) => {
      const { token, password } = req.body;
      const { label, language, ...rest } = toRequest(req);
      if (!(await isGood(token))) return toExpired(language, reply);
      const passwordHash = await passwords.hash(password, toNetwork(req.ip ?? ""));
      const at = now();
      const from = { attempts: app.attempts, ip: req.ip ?? "" };
      try {
        await inTransaction(db, (tx) =>
          comeIn(toCtx({ ...rest, tx, now: at }), from, (ctx) =>
            resetPassword(ctx, app, { token, passwordHash, label, language }),
          ),
        );
      } catch (error) {
        return toResetPage({ language, token, fault: toWords(error, language, reply) });
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
        const fault = toWords(error, language, reply);
        return showInvitation(app, req, reply, { token, email, fault });
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
  shown: { token: string; email?: string; fault?: string },
): Promise<string> {
  const { token, fault } = shown;
  const language = negotiateLanguage(req, mailLanguages);
  try {
    const invitation = await getInvitation(app.db, app, { token, now: app.now() });
    const { title, inviter } = invitation;
    const email = shown.email ?? invitation.email;
    const role = invitation.role as Role;
    return toInvitationPage({ language, token, fault, email, title, inviter, role });
  } catch (error) {
    return toExpiredOf(error, language, reply);
  }
}

/** Accepts with a new account, or with one that is there, whose password is checked as at sign-in. */
async function acceptAs(
  app: AuthApp,
  req: FastifyRequest,
  given: { token: string; email: string; password: string; do: "signup" | "signin" },
): Promise<void> {
  const { db, now, passwords, attempts } = app;
  const { token, email, password } = given;
  const { label, language, ...rest } = toRequest(req);
  const at = now();
  if (given.do === "signup") {
    const account = toAccount({ email, password });
    const passwordHash = await hashForSignup(app, { password, ip: req.ip ?? "" });
    const asked = { account, passwordHash, label, language, invitationToken: token };
    const from = { attempts, ip: req.ip ?? "" };
    await inTransaction(db, (tx) =>
      comeIn(toCtx({ ...rest, tx, now: at }), from, (ctx) => signUp(ctx, app, asked)),
    );
    return;
  }
  const { userId } = await verifyCredentials(
    { db, passwords, attempts, now: at },
    { username: email, password, ip: req.ip ?? "" },
  );
  const actor = { kind: "user", userId, tokenId: "" } as const;
  await inTransaction(db, (tx) =>
    acceptInvitation(toCtx({ ...rest, actor, tx, now: at }), app, token),
  );
}

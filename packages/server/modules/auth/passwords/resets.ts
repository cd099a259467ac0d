import type { Config } from "../../../config/config.ts";
import { withQuery } from "../../../kernel/allowed-url.ts";
import { type Ctx, toCtx } from "../../../kernel/ctx.ts";
import { recordEvent } from "../../../kernel/events/events.ts";
import type { Jobs } from "../../../kernel/jobs.ts";
import { findUserByEmail } from "../../../kernel/users-store.ts";
import type { Sealer } from "../../../platform/crypto/sealing.ts";
import { hashToken } from "../../../platform/crypto/tokens.ts";
import type { Db } from "../../../platform/db/db.ts";
import { inTransaction } from "../../../platform/db/transaction.ts";
import { Fault } from "../../../platform/errors.ts";
import type { MailLanguage } from "../../../platform/mail/languages.ts";
import type { FactorChecks } from "../factors/ports.ts";
import { type Proof, useProof, verifyCode } from "../factors/proofs.ts";
import { removeUnprovenIdentities } from "../identities/identities.ts";
import { toNetwork } from "../limits/network.ts";
import type { Outbox } from "../mails/outbox.ts";
import { type TokenHolder, findOneTimeToken } from "../sessions/one-time-tokens-store.ts";
import { createToken, useToken } from "../sessions/one-time-tokens.ts";
import { type Session, startSession } from "../sessions/sessions.ts";
import { getUserById, isDisabled, listNames, updateUserById } from "../users/store.ts";
import { putPassword } from "./passwords.ts";
import type { PasswordPlace } from "./policy.ts";
import type { PasswordsApp } from "./ports.ts";

const RESET_QUEUE = "password-resets";

interface ResetRequest {
  email: string;
  /** The address to which the token is added. */
  url: string;
  language: MailLanguage;
}

/**
 * Requests a link that sets a new password. The work is the same for every address: a job checks whether it has an account,
 * so that neither the response nor its time reveals it.
 */
export async function requestReset(
  ctx: Ctx,
  { jobs, sealer }: Pick<PasswordsApp, "jobs" | "sealer">,
  request: ResetRequest,
): Promise<void> {
  await jobs.sendJob(ctx.tx, { queue: RESET_QUEUE, data: { sealed: sealer.seal(request) } });
}

interface ResetQueueOptions {
  db: Db;
  now: () => Date;
  jobs: Jobs;
  sealer: Sealer;
  outbox: Outbox;
  config: Pick<Config, "passwords">;
}

/** Processes the queue of `requestReset`: creates the token and mails its link if a user has the address. */
export async function startResets(options: ResetQueueOptions): Promise<void> {
  await options.jobs.workQueue<{ sealed: string }>(
    { name: RESET_QUEUE, concurrency: 2, retriesMax: 5, timeoutSeconds: 30 },
    async ({ sealed }) => {
      // Only this service seals requests; one sealed with another SECRET_KEY is dropped.
      const request = options.sealer.open(sealed) as ResetRequest | undefined;
      if (request) await postReset(options, request);
    },
  );
}

async function postReset(
  { db, now, outbox, config }: ResetQueueOptions,
  request: ResetRequest,
): Promise<void> {
  const at = now();
  await inTransaction(db, async (tx) => {
    const user = await findUserByEmail(tx, request.email);
    if (!user || (await isDisabled(tx, user.id))) return;
    const { id: userId, email } = user;
    // One hour (wire section 1), or less as the operator set.
    const lifetimeMs = config.passwords.resetMs;
    const purpose = "reset";
    const token = await createToken({ tx, now: at }, { purpose, userId, email, lifetimeMs });
    const url = withQuery(new URL(request.url), { token });
    await outbox.postLetter(tx, at, {
      to: email,
      language: request.language,
      letter: { kind: "reset", url, minutes: lifetimeMs / 60_000 },
    });
    const actor = { kind: "system", name: "auth" } as const;
    const ctx = toCtx({ tx, actor, now: at, requestId: undefined });
    await recordEvent(ctx, { name: "password.reset-asked", data: { userId } });
  });
}

/** The holder of a valid token. Checked first, to hash no password for an invalid one. @throws Fault invalid */
export async function findReset(db: Db, token: string, now: Date): Promise<TokenHolder> {
  const held = await findOneTimeToken(db, { hash: hashToken(token), purpose: "reset", now });
  if (!held) throw unknownToken();
  return held;
}

/**
 * Hashes a password to be set with a valid mailed token, and checks the code of a second factor, if any: access to the
 * mailbox must not be worth more than the password.
 *
 * @throws Fault invalid for a token that is unknown, used or expired, and for a password that the policy rejects;
 * code-needed, wrong-code, too-many, busy
 */
export async function hashForReset(
  app: FactorChecks & Pick<PasswordsApp, "passwords" | "policy" | "now">,
  {
    token,
    password,
    code,
    ip,
    place,
  }: {
    token: string;
    password: string;
    code?: string | undefined;
    ip: string;
    place: PasswordPlace;
  },
): Promise<{ passwordHash: string; proof: Proof }> {
  const { db, policy, passwords } = app;
  const now = app.now();
  const { userId } = await findReset(db, token, now);
  const names = await listNames(db, userId);
  await policy.assertAccepted(password, { path: "/password", names, place });
  const proof = await verifyCode(app, { userId, code, ip, now });
  return { passwordHash: await passwords.hash(password, toNetwork(ip)), proof };
}

/**
 * Sets the password of the token's user, revokes all other tokens, removes identities that an attacker may have added, and
 * signs the user in. Receiving the mail proves the address.
 *
 * @throws Fault invalid for a token that is unknown, used or expired; as `useProof`
 */
export async function resetPassword(
  ctx: Ctx,
  app: { outbox: Outbox },
  given: {
    token: string;
    passwordHash: string;
    proof: Proof;
    label: string;
    language: MailLanguage;
  },
): Promise<Session> {
  const held = await useToken(ctx, { token: given.token, purpose: "reset" });
  if (!held) throw unknownToken();
  const { userId } = held;
  const { proof, language } = given;
  await useProof(ctx, app, { userId, proof, language });
  const user = await getUserById(ctx.tx, userId);
  const asUser = toCtx({ ...ctx, actor: { kind: "user", userId, tokenId: "" } });
  const removed = await removeUnprovenIdentities(asUser, user);
  await putPassword(ctx, app, { ...given, userId, exceptTokenId: undefined, removed });
  if (user.email_verified_at === null && user.email === held.email)
    await updateUserById(ctx.tx, userId, { email_verified_at: ctx.now });
  return startSession(ctx, { userId, label: given.label, event: "user.signed-in" });
}

function unknownToken(): Fault {
  const message = "is unknown, used or expired; request a new one";
  return new Fault("invalid", `/token: ${message}`, { faults: [{ path: "/token", message }] });
}

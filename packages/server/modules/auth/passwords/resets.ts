import type { Config } from "../../../config/config.ts";
import { type Ctx, toCtx } from "../../../kernel/ctx.ts";
import type { Db } from "../../../platform/db/db.ts";
import { inTransaction } from "../../../platform/db/transaction.ts";
import { Fault } from "../../../platform/errors.ts";
import { recordEvent } from "../../../kernel/events.ts";
import type { Jobs } from "../../../kernel/jobs.ts";
import type { Sealer } from "../../../platform/crypto/sealing.ts";
import { hashToken, newOneTimeToken } from "../../../platform/crypto/tokens.ts";
import { findUserByEmail } from "../../../kernel/users-store.ts";
import { withQuery } from "../../../kernel/allowed-url.ts";
import { isDisabled, listNames } from "../users/store.ts";
import type { AuthApp } from "../ports.ts";
import { type Proof, type Proving, useProof, verifyCode } from "../factors/proofs.ts";
import { removeUnprovenIdentities } from "../identities/identities.ts";
import type { Outbox } from "../mails/outbox.ts";
import type { MailLanguage } from "../../../platform/mail/languages.ts";
import { toNetwork } from "../limits/network.ts";
import { useToken } from "../sessions/one-time-tokens.ts";
import {
  type Holder,
  insertOneTimeToken,
  findOneTimeToken,
} from "../sessions/one-time-tokens-store.ts";
import { putPassword } from "./passwords.ts";
import { type Session, startSession } from "../sessions/sessions.ts";
import { getUserById, updateUserById } from "../sessions/store.ts";

const RESET_QUEUE = "password-resets";

interface AskedReset {
  email: string;
  /** Where the link leads; the token is added to it. */
  url: string;
  language: MailLanguage;
}

/**
 * Asks for a link that sets a new password. What is done here is the same for every address: whether
 * somebody has it is looked up by a job, so that neither the answer nor its time tells.
 */
export async function askReset(
  ctx: Ctx,
  { jobs, sealer }: { jobs: Pick<Jobs, "sendJob">; sealer: Sealer },
  asked: AskedReset,
): Promise<void> {
  await jobs.sendJob(ctx.tx, { queue: RESET_QUEUE, data: { sealed: sealer.seal(asked) } });
}

interface Resetting {
  db: Db;
  now: () => Date;
  jobs: Jobs;
  sealer: Sealer;
  outbox: Outbox;
  config: Pick<Config, "passwords">;
}

/** Works what `askReset` left: makes the token and posts its link, where a user has the address. */
export async function startResets(app: Resetting): Promise<void> {
  await app.jobs.workQueue<{ sealed: string }>(
    { name: RESET_QUEUE, concurrency: 2, retriesMax: 5, timeoutSeconds: 30 },
    async ({ sealed }) => {
      // What this service sealed it made itself; another secret's is of no use to anybody.
      const asked = app.sealer.open(sealed) as AskedReset | undefined;
      if (asked) await postReset(app, asked);
    },
  );
}

async function postReset({ db, now, outbox, config }: Resetting, asked: AskedReset): Promise<void> {
  const at = now();
  await inTransaction(db, async (tx) => {
    const user = await findUserByEmail(tx, asked.email);
    if (!user || (await isDisabled(tx, user.id))) return;
    const { token, hash } = newOneTimeToken();
    await insertOneTimeToken(tx, {
      hash,
      purpose: "reset",
      user_id: user.id,
      email: user.email,
      created_at: at,
      // Once, for one hour (wire section 1), or for less, where the operator says so.
      expires_at: new Date(at.getTime() + config.passwords.resetMs),
    });
    const url = withQuery(new URL(asked.url), { token });
    await outbox.postLetter(tx, at, {
      to: user.email,
      language: asked.language,
      letter: { kind: "reset", url, minutes: config.passwords.resetMs / 60_000 },
    });
    const actor = { kind: "system", name: "auth" } as const;
    const ctx = toCtx({ tx, actor, now: at, requestId: undefined });
    await recordEvent(ctx, { name: "password.reset-asked", data: { userId: user.id } });
  });
}

/** Whose token this is. Throws unless it would work now: a hash is only made for who has one. */
export async function findReset(db: Db, token: string, now: Date): Promise<Holder> {
  const held = await findOneTimeToken(db, { hash: hashToken(token), purpose: "reset", now });
  if (!held) throw unknownToken();
  return held;
}

/**
 * Hashes a password that is to be set with a mailed token, which has to work now, and checks the code of a second
 * factor where its user has one: who reads somebody's mail gets no further than who knows their password.
 *
 * @throws Fault invalid for a token that is unknown, used or expired, and for a password that the operator refuses;
 * code-needed, wrong-code, too-many, busy
 */
export async function hashForReset(
  app: Proving & Pick<AuthApp, "passwords" | "policy" | "now">,
  {
    token,
    password,
    code,
    ip,
  }: { token: string; password: string; code?: string | undefined; ip: string },
): Promise<{ passwordHash: string; proof: Proof }> {
  const { db, policy, passwords } = app;
  const now = app.now();
  const { userId } = await findReset(db, token, now);
  await policy.assertTaken(password, { path: "/password", names: await listNames(db, userId) });
  const proof = await verifyCode(app, { userId, code, ip, now });
  return { passwordHash: await passwords.hash(password, toNetwork(ip)), proof };
}

/**
 * Sets the password of whose the token is, ends all of their other tokens, removes the ways of signing in
 * that somebody else may have added, and signs them in. Who got the mail has the address.
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
  const message = "is unknown, used or expired: ask for another";
  return new Fault("invalid", `/token: ${message}`, { faults: [{ path: "/token", message }] });
}

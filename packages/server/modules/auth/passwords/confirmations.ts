import type { Ctx } from "../../../kernel/ctx.ts";
import type { Db, Tx } from "../../../platform/db/db.ts";
import { Fault, assertNoFaults } from "../../../platform/errors.ts";
import { recordEvent } from "../../../kernel/events.ts";
import type { MailLanguage } from "../../../platform/mail/languages.ts";
import type { Passwords } from "../../../platform/crypto/passwords.ts";
import { getCaller } from "../users/caller.ts";
import { type Proof, type Proving, verifyCode, useProof } from "../factors/proofs.ts";
import { findConfirmedFactor } from "../factors/store.ts";
import type { Outbox } from "../mails/outbox.ts";
import { toNetwork } from "../limits/network.ts";
import { isStillPassword } from "./passwords.ts";
import { type Confirmed, findConfirmed, updateConfirmedAt } from "../sessions/recent-store.ts";
import { findPasswordHash } from "../sessions/store.ts";

/** For how long whoever signed in, or showed again that it is they, may change how the account is signed in to. */
const RECENT_MS = 15 * 60_000;

/** What somebody showed again; undefined: nothing. */
export type Shown = { by: "code"; proof: Proof } | { by: "password"; hash: string } | undefined;

interface Given {
  password: string | undefined;
  code: string | undefined;
}

/**
 * Holds a change of how an account is signed in to, or its deletion, against a session that somebody left open or stole:
 * its user has to have signed in with it, or shown again that it is they, within 15 minutes, and with their second factor
 * where they have one: what a session showed before that was turned on does not count. Answers when that was.
 *
 * @throws Fault confirmation-needed, unauthenticated where the session has ended meanwhile
 */
export async function assertRecent(ctx: Ctx): Promise<Date> {
  const confirmed = await getConfirmed(ctx.tx, ctx);
  if (!isRecent(confirmed, ctx.now)) throw confirmationNeeded();
  return confirmed.at;
}

/**
 * The same for what takes the password anyway, a new one: who has no second factor has shown enough by it.
 * @throws Fault as `assertRecent`
 */
export async function assertFactorRecent(
  db: Db | Tx,
  asker: Pick<Ctx, "actor" | "scope" | "now">,
): Promise<void> {
  const confirmed = await getConfirmed(db, asker);
  if (confirmed.factorAt !== null && !isRecent(confirmed, asker.now)) throw confirmationNeeded();
}

async function getConfirmed(
  db: Db | Tx,
  { actor, scope }: Pick<Ctx, "actor" | "scope">,
): Promise<Confirmed> {
  const confirmed = await findConfirmed(db, scope, getCaller(actor).tokenId);
  if (!confirmed) throw new Fault("unauthenticated", "Your session has ended.");
  return confirmed;
}

function confirmationNeeded(): Fault {
  return new Fault(
    "confirmation-needed",
    "Confirm that it is you: send your password, or a code of your second factor, to POST /v1/auth/confirm, or sign in again.",
  );
}

const isRecent = ({ at, factorAt }: Confirmed, now: Date): boolean =>
  toEnd(at) > now && (factorAt === null || at >= factorAt);

const toEnd = (at: Date): Date => new Date(at.getTime() + RECENT_MS);

/**
 * Checks what a signed-in user shows again, outside any transaction: a code where they have a second factor, as a
 * stolen password must not do away with it, and the password where they have none. Counted as at sign-in.
 *
 * @throws Fault invalid (401 is for sign-in alone), too-many, busy
 */
export async function verifyShown(
  app: Proving & { passwords: Passwords; now: () => Date },
  { userId, ip, ...given }: Given & { userId: string; ip: string },
): Promise<Shown> {
  const { password, code } = given;
  if (password === undefined && code === undefined) return undefined;
  const now = app.now();
  if (await findConfirmedFactor(app.db, userId)) {
    if (code === undefined) throw refusal("/code", "is needed: you have a second factor");
    const asked = { userId, code, ip, now };
    return { by: "code", proof: await verifyCode(app, asked).catch(toInvalid) };
  }
  if (password === undefined) throw refusal("/password", "is needed: you have no second factor");
  const hash = await findPasswordHash(app.db, userId);
  const attempt = { account: ["user", userId] as ["user", string], ip, now };
  const right = await app.attempts.checkOnce(attempt, () =>
    app.passwords.verify(hash, password, toNetwork(ip)),
  );
  if (!right || hash === undefined) throw refusal("/password", "is not your password");
  return { by: "password", hash };
}

function toInvalid(error: unknown): never {
  const isWrong = error instanceof Fault && error.kind === "wrong-code";
  throw isWrong ? refusal("/code", "is wrong, or was used already") : error;
}

function refusal(path: string, message: string): Fault {
  return new Fault("invalid", `${path}: ${message}`, { faults: [{ path, message }] });
}

/**
 * Makes the caller's session a recent one by what they showed; where that is nothing, it has to be one already.
 * Answers until when it is.
 *
 * @throws Fault confirmation-needed, invalid where what was shown does not hold any more
 */
export async function confirmSession(
  ctx: Ctx,
  { outbox }: { outbox: Outbox },
  { shown, language }: { shown: Shown; language: MailLanguage },
): Promise<Date> {
  const { userId, tokenId } = getCaller(ctx.actor);
  if (!shown) return toEnd(await assertRecent(ctx));
  if (shown.by === "code") {
    const { proof } = shown;
    await useProof(ctx, { outbox }, { userId, proof, language }).catch(toInvalid);
  } else if (!(await isStillPassword(ctx, { userId, passwordHash: shown.hash })))
    assertNoFaults([{ path: "/password", message: "is not your password" }]);
  else if (await findConfirmedFactor(ctx.tx, userId))
    // It was turned on since the password was checked.
    throw refusal("/code", "is needed: you have a second factor");
  await updateConfirmedAt(ctx.tx, tokenId, ctx.now);
  await recordEvent(ctx, { name: "session.confirmed", data: { by: shown.by } });
  return toEnd(ctx.now);
}

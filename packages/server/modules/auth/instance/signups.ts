import type { SignupMode } from "../../../config/sign-in.ts";
import type { Ctx } from "../../../kernel/ctx.ts";
import { recordEvent } from "../../../kernel/events/events.ts";
import type { Db } from "../../../platform/db/db.ts";
import { Fault } from "../../../platform/errors.ts";
import { assertClaim } from "./claims.ts";
import type { InstanceApp } from "./ports.ts";
import { findSignups, lockInstance, shareSignups, updateSignups } from "./store.ts";

export interface SignupsApp {
  config: Pick<InstanceApp["config"], "signups">;
}

/** The tokens of a sign-up, which are checked when they are used. */
interface SignupTokens {
  invitationToken?: string | undefined;
  claimToken?: string | undefined;
}

export interface Signups {
  mode: SignupMode;
  /** Whether the setting SIGNUPS decides, so that operators cannot switch. */
  fixed: boolean;
}

export async function readSignups(db: Db, { config }: SignupsApp): Promise<Signups> {
  const { signups } = config;
  return { mode: signups ?? (await findSignups(db)), fixed: signups !== undefined };
}

/**
 * Switches sign-ups for all nodes; sign-ups in progress complete before.
 * @throws Fault conflict if the setting SIGNUPS decides
 */
export async function switchSignups(
  ctx: Ctx,
  { config }: SignupsApp,
  mode: SignupMode,
): Promise<Signups> {
  if (config.signups !== undefined)
    throw new Fault(
      "conflict",
      "The setting SIGNUPS decides about sign-ups. Remove it to switch them here.",
    );
  await lockInstance(ctx.tx);
  const before = await findSignups(ctx.tx);
  if (before !== mode) {
    await updateSignups(ctx.tx, mode);
    await recordEvent(ctx, { name: "signups.changed", data: { before, mode } });
  }
  return { mode, fixed: false };
}

/**
 * Asserts that a request may create an account, before its password is hashed.
 * @throws Fault forbidden; impossible for a claim that is unknown, used or expired
 */
export async function assertSignupAllowed(
  { db, now, config }: Pick<InstanceApp, "db" | "now"> & SignupsApp,
  tokens: SignupTokens,
): Promise<void> {
  if (tokens.claimToken === undefined) assertMode((await readSignups(db, { config })).mode, tokens);
  else await assertClaim(db, { token: tokens.claimToken, now: now(), path: "/claimToken" });
}

/**
 * The same in the transaction that creates the account. A claim locks the installation instead, and is checked where
 * it is used.
 */
export async function admitSignup(
  { tx }: Pick<Ctx, "tx">,
  { config }: SignupsApp,
  tokens: SignupTokens,
): Promise<void> {
  if (tokens.claimToken === undefined)
    assertMode(config.signups ?? (await shareSignups(tx)), tokens);
  else await lockInstance(tx);
}

function assertMode(mode: SignupMode, { invitationToken }: SignupTokens): void {
  if (mode === "closed")
    throw new Fault(
      "forbidden",
      "Sign-ups are closed. Ask the operator of this service for an account.",
    );
  if (mode === "invitation" && invitationToken === undefined)
    throw new Fault(
      "forbidden",
      "Sign-ups need an invitation. Open the link of your invitation, or send its `invitationToken`.",
    );
}

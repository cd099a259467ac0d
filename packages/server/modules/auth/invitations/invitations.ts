import { hrefOf, paths, withHost } from "@avow/contract/urls";
import type { Ctx } from "../../../kernel/ctx.ts";
import { recordEvent } from "../../../kernel/events/events.ts";
import { newDocumentId } from "../../../kernel/ids.ts";
import { toLoginName } from "../../../kernel/logins.ts";
import { type UserCard, findUserById, isSameAddress } from "../../../kernel/users-store.ts";
import { hashToken, newOneTimeToken } from "../../../platform/crypto/tokens.ts";
import type { Db, Tx } from "../../../platform/db/db.ts";
import { Fault } from "../../../platform/errors.ts";
import type { MailLanguage } from "../../../platform/mail/languages.ts";
import { getCaller } from "../users/users.ts";
import type { Role } from "../users/schema.ts";
import { toAddressHint } from "../../../platform/mail/address-hint.ts";
import type { InvitationTarget, InvitationsApp } from "./ports.ts";
import {
  type Invitation,
  countInvitations,
  deleteInvitation,
  deleteInvitationsTo,
  deleteSameInvitations,
  findInvitation,
  insertInvitation,
  takeInvitation,
} from "./store.ts";

const INVITATION_MS = 7 * 86_400_000;
const PENDING_MAX = 500;

type Targets = Pick<InvitationsApp, "invitationTargets">;

interface NewInvitation {
  email: string;
  displayName: string | undefined;
  role: Role;
  target: InvitationTarget;
  /** Whether only an account with the address can accept. */
  isBound: boolean;
  language: MailLanguage;
}

/** A new invitation. */
export interface SentInvitation {
  id: string;
  token: string;
  expiresAt: Date;
  /** Whether a mail is sent. */
  isMailed: boolean;
  isBound: boolean;
}

/**
 * Invites a person to a project or an organization by mail, and replaces an earlier invitation to the same address. No
 * mail is sent when the address has got too many. The token is returned once.
 *
 * @throws Fault not-found, forbidden (only owners may invite, and with mails only those with a confirmed address),
 *   conflict when 500 are pending
 */
export async function invite(
  ctx: Ctx,
  app: Omit<InvitationsApp, "db" | "now">,
  { email, displayName, role, target, isBound, language }: NewInvitation,
): Promise<SentInvitation> {
  const { userId } = getCaller(ctx.actor);
  const title = await app.invitationTargets.getTitle(ctx.tx, ctx.scope, target);
  const inviter = await findUserById(ctx.tx, userId);
  // Checked for every address, so that the answer does not reveal which have an account.
  const isKnown = inviter?.isConfirmed === true || inviter?.email === null;
  if (app.config.mail.rightsByEmail === "confirmed" && !isKnown)
    throw new Fault("forbidden", "Confirm your e-mail address before you invite others.");
  await deleteSameInvitations(ctx.tx, { documentId: target.id, email });
  if ((await countInvitations(ctx.tx, target.id, ctx.now)) >= PENDING_MAX)
    throw new Fault(
      "conflict",
      `There are already ${PENDING_MAX} pending invitations. Withdraw some first.`,
    );
  const { token, hash } = newOneTimeToken();
  const id = newDocumentId(ctx.now);
  const expiresAt = new Date(ctx.now.getTime() + INVITATION_MS);
  await insertInvitation(ctx.tx, {
    id,
    hash,
    email,
    display_name: displayName ?? null,
    collection: target.collection,
    document_id: target.id,
    role,
    invited_by: userId,
    created_at: ctx.now,
    expires_at: expiresAt,
    is_bound: isBound,
  });
  const brand = await app.findBrand(ctx.tx, target.id);
  const base = withHost(app.publicUrl, brand?.host);
  const url = hrefOf(base, paths.adminInvitation, {}, { token });
  const { displayName: name = "" } = inviter ?? {};
  const letter = { kind: "invitation", url, inviter: name, title, role, isBound } as const;
  // Counted last, in the transaction: a rejected invitation is not mailed, and does not count.
  const attempt = {
    limit: "invitations to address",
    key: [toLoginName(email)],
    now: ctx.now,
  } as const;
  const isMailed = (await app.limiter.tryCount(attempt, ctx.tx)) !== undefined;
  if (isMailed)
    await app.outbox.postLetter(ctx.tx, ctx.now, { to: email, language, letter, about: target.id });
  await record(ctx, "user.invited", { id, target, role });
  return { id, token, expiresAt, isMailed, isBound };
}

/** An invitation with the title of its document and the name of the inviter. */
export interface InvitationDetails extends Invitation {
  title: string;
  inviter: string;
  brand: { name: string; logo?: string; color?: string } | undefined;
}

/** Returns the invitation of a token. @throws Fault not-found when it is unknown, used or expired */
export async function getInvitation(
  db: Db | Tx,
  { invitationTargets, findBrand }: Targets & Pick<InvitationsApp, "findBrand">,
  { token, now }: { token: string; now: Date },
): Promise<InvitationDetails> {
  const found = await findInvitation(db, { hash: hashToken(token) }, now);
  if (!found) throw unknown();
  const inviter = await findUserById(db, found.invited_by);
  const scope = { kind: "user", userId: found.invited_by } as const;
  const title = await invitationTargets.getTitle(db, scope, targetOf(found)).catch(hide);
  const brand = await findBrand(db, found.document_id);
  return { ...found, title, inviter: inviter?.displayName ?? "", brand };
}

/**
 * Accepts an invitation as the signed-in user.
 * @throws Fault not-found as `getInvitation`; forbidden unless the user has confirmed the address that it is bound to
 */
export async function acceptInvitation(
  ctx: Ctx,
  { invitationTargets }: Targets,
  token: string,
): Promise<Invitation> {
  const { userId } = getCaller(ctx.actor);
  const taken = await takeInvitation(ctx.tx, hashToken(token), ctx.now);
  if (!taken) throw unknown();
  const user = await findUserById(ctx.tx, userId);
  if (taken.is_bound) assertBoundTo(taken, user);
  const target = targetOf(taken);
  const role = taken.role as Role;
  await invitationTargets
    .addMember(ctx, { ...target, userId, role, invitedBy: taken.invited_by })
    .catch(hide);
  // Any holder of the token may accept one that is not bound; the audit trail records the user, and whether the invited address is theirs.
  const isInvited = toLoginName(user?.email ?? "") === toLoginName(taken.email);
  await record(ctx, "invitation.accepted", { id: taken.id, target, role, isInvited });
  return taken;
}

/**
 * Accepts an invitation with an account that is being created. One that is bound stays until the account has confirmed
 * the address, which a new account has not.
 * @throws Fault not-found as `getInvitation`; forbidden for an invitation that is bound to another address
 */
export async function acceptAtSignup(
  ctx: Ctx,
  app: Targets,
  { token, email }: { token: string; email: string },
): Promise<void> {
  const found = await findInvitation(ctx.tx, { hash: hashToken(token) }, ctx.now);
  if (found?.is_bound) assertAddress(found, email);
  else await acceptInvitation(ctx, app, token);
}

function assertAddress({ email }: Invitation, own: string | null | undefined): void {
  if (own === null || own === undefined || !isSameAddress(own, email))
    throw new Fault(
      "forbidden",
      `This invitation is for the address ${toAddressHint(email)} only. Sign in with the account that has it.`,
    );
}

function assertBoundTo(invitation: Invitation, user: UserCard | undefined): void {
  const hint = toAddressHint(invitation.email);
  assertAddress(invitation, user?.email);
  if (!user?.isConfirmed)
    throw new Fault(
      "forbidden",
      `This invitation is for the owner of the address ${hint} only. Confirm your e-mail address, then accept it.`,
    );
}

/**
 * Withdraws an invitation, by its token or its id, for the inviter or an owner of the document.
 * @throws Fault not-found, also for any other user
 */
export async function withdrawInvitation(
  ctx: Ctx,
  { invitationTargets }: Targets,
  tokenOrId: string,
): Promise<void> {
  const { userId } = getCaller(ctx.actor);
  const found =
    (await findInvitation(ctx.tx, { hash: hashToken(tokenOrId) }, ctx.now)) ??
    (await findInvitation(ctx.tx, { id: tokenOrId }, ctx.now));
  if (!found) throw unknown();
  const target = targetOf(found);
  if (found.invited_by !== userId)
    await invitationTargets.getTitle(ctx.tx, ctx.scope, target).catch(hide);
  await deleteInvitation(ctx.tx, found.id);
  const role = found.role as Role;
  await record(ctx, "invitation.withdrawn", { id: found.id, target, role });
}

/**
 * Withdraws the invitations to an address when its owner's account is deleted. The address must be confirmed, so that an
 * account with another person's address does not withdraw their invitations.
 */
export async function withdrawInvitationsTo(ctx: Ctx, email: string): Promise<void> {
  for (const gone of await deleteInvitationsTo(ctx.tx, email)) {
    const given = { id: gone.id, target: targetOf(gone), role: gone.role as Role };
    await record(ctx, "invitation.withdrawn", given);
  }
}

function targetOf({ collection, document_id }: Invitation): InvitationTarget {
  return { collection: collection as InvitationTarget["collection"], id: document_id };
}

/** Hides that the document was deleted or that the inviter has lost the right to invite. */
function hide(error: unknown): never {
  if (error instanceof Fault && (error.kind === "not-found" || error.kind === "forbidden"))
    throw unknown();
  throw error;
}

function unknown(): Fault {
  return new Fault("not-found", "This invitation is unknown, used or expired.");
}

async function record(
  ctx: Ctx,
  name: "user.invited" | "invitation.accepted" | "invitation.withdrawn",
  {
    id,
    target,
    ...more
  }: { id: string; target: InvitationTarget; role: Role; isInvited?: boolean },
): Promise<void> {
  await recordEvent(ctx, {
    name,
    projectId: target.collection === "projects" ? target.id : undefined,
    documentId: target.id,
    data: { invitationId: id, ...more },
  });
}

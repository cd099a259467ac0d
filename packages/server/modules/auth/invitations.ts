import type { Config } from "../../config/config.ts";
import type { Scope } from "../../kernel/actor.ts";
import type { Ctx } from "../../kernel/ctx.ts";
import type { Db, Tx } from "../../platform/db/db.ts";
import { Fault } from "../../platform/errors.ts";
import { recordEvent } from "../../kernel/events.ts";
import { newDocumentId } from "../../kernel/ids.ts";
import { toLoginName } from "../../kernel/logins.ts";
import { hashToken, newOneTimeToken } from "../../platform/crypto/tokens.ts";
import { findUserById } from "../../kernel/users-store.ts";
import { hrefOf, paths } from "@avow/contract/urls";
import type { Asks } from "./asks.ts";
import { getCaller } from "./caller.ts";
import {
  type Invitation,
  countInvitations,
  deleteInvitation,
  deleteInvitationsTo,
  deleteSameInvitations,
  findInvitation,
  insertInvitation,
  takeInvitation,
} from "./invitations-store.ts";
import type { Outbox } from "./mails/outbox.ts";
import type { MailLanguage } from "../../platform/mail/languages.ts";
import type { Role } from "./schema.ts";

const INVITATION_MS = 7 * 86_400_000;
const WAITING_MAX = 500;

/** What somebody is invited to. */
export interface InvitationTarget {
  collection: "projects" | "organizations";
  id: string;
}

/** What of the vault's documents this module asks for; the vault's verbs, handed down by the app. */
export interface InvitedTo {
  /** Its title, for somebody who may give others rights on it. Throws `Fault` not-found, forbidden. */
  getTitle(db: Db | Tx, scope: Scope, target: InvitationTarget): Promise<string>;
  /**
   * Gives the user a role beside those they have, on behalf of who invited them.
   * Throws `Fault` not-found when the document is gone, or who invited may not do so any more.
   */
  addMember(
    ctx: Ctx,
    member: InvitationTarget & { userId: string; role: Role; invitedBy: string },
  ): Promise<void>;
}

export interface Inviting {
  invitedTo: InvitedTo;
}

interface NewInvitation {
  email: string;
  displayName: string | undefined;
  role: Role;
  target: InvitationTarget;
  language: MailLanguage;
}

/** An invitation that was made. */
export interface Invited {
  id: string;
  token: string;
  expiresAt: Date;
  /** Whether a mail goes out. */
  isMailed: boolean;
}

/**
 * Invites somebody to a project or an organization: a mail goes to them, in place of one that went
 * there before, unless the address was mailed enough of them. The token is answered once.
 *
 * @throws Fault not-found, forbidden (owners invite; where mails go out, not before they confirmed their own address),
 *   conflict when 500 wait already
 */
export async function invite(
  ctx: Ctx,
  app: Inviting & {
    asks: Pick<Asks, "takeInvited">;
    outbox: Outbox;
    publicUrl: string;
    config: { mail: Pick<Config["mail"], "rightsByEmail"> };
  },
  { email, displayName, role, target, language }: NewInvitation,
): Promise<Invited> {
  const { userId } = getCaller(ctx.actor);
  const title = await app.invitedTo.getTitle(ctx.tx, ctx.scope, target);
  const inviter = await findUserById(ctx.tx, userId);
  // Whoever was invited, so that the answer does not tell who has an account.
  const isKnown = inviter?.isConfirmed === true || inviter?.email === null;
  if (app.config.mail.rightsByEmail === "confirmed" && !isKnown)
    throw new Fault("forbidden", "Confirm your own e-mail address before you invite others.");
  await deleteSameInvitations(ctx.tx, { documentId: target.id, email });
  if ((await countInvitations(ctx.tx, target.id, ctx.now)) >= WAITING_MAX)
    throw new Fault("conflict", `${WAITING_MAX} invitations wait already: withdraw some first.`);
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
  });
  const url = hrefOf(app.publicUrl, paths.adminInvitation, {}, { token });
  const { displayName: name = "" } = inviter ?? {};
  const letter = { kind: "invitation", url, inviter: name, title, role } as const;
  // Counted last, in the transaction: what is refused is not mailed, so it uses nobody's count up.
  const isMailed = await app.asks.takeInvited(ctx.tx, { to: email, now: ctx.now });
  if (isMailed) await app.outbox.postLetter(ctx.tx, ctx.now, { to: email, language, letter });
  await record(ctx, "user.invited", { id, target, role });
  return { id, token, expiresAt, isMailed };
}

/** An invitation, with what it invites to and who did. */
export interface ShownInvitation extends Invitation {
  title: string;
  inviter: string;
}

/** The invitation of a token. @throws Fault not-found when it is unknown, used or expired */
export async function getInvitation(
  db: Db | Tx,
  { invitedTo }: Inviting,
  { token, now }: { token: string; now: Date },
): Promise<ShownInvitation> {
  const found = await findInvitation(db, { hash: hashToken(token) }, now);
  if (!found) throw unknown();
  const inviter = await findUserById(db, found.invited_by);
  const scope = { kind: "user", userId: found.invited_by } as const;
  const title = await invitedTo.getTitle(db, scope, targetOf(found)).catch(hide);
  return { ...found, title, inviter: inviter?.displayName ?? "" };
}

/** Accepts an invitation as the signed-in user. Throws as `getInvitation`. */
export async function acceptInvitation(
  ctx: Ctx,
  { invitedTo }: Inviting,
  token: string,
): Promise<Invitation> {
  const { userId } = getCaller(ctx.actor);
  const taken = await takeInvitation(ctx.tx, hashToken(token), ctx.now);
  if (!taken) throw unknown();
  const target = targetOf(taken);
  const role = taken.role as Role;
  await invitedTo
    .addMember(ctx, { ...target, userId, role, invitedBy: taken.invited_by })
    .catch(hide);
  const user = await findUserById(ctx.tx, userId);
  // Whoever has the token may accept; the trail tells who did, and whether it is who was invited.
  const isInvited = toLoginName(user?.email ?? "") === toLoginName(taken.email);
  await record(ctx, "invitation.accepted", { id: taken.id, target, role, isInvited });
  return taken;
}

/**
 * Withdraws an invitation, by its token or its id: who invited, or an owner of what it invites to.
 * @throws Fault not-found for anybody else too
 */
export async function withdrawInvitation(
  ctx: Ctx,
  { invitedTo }: Inviting,
  tokenOrId: string,
): Promise<void> {
  const { userId } = getCaller(ctx.actor);
  const found =
    (await findInvitation(ctx.tx, { hash: hashToken(tokenOrId) }, ctx.now)) ??
    (await findInvitation(ctx.tx, { id: tokenOrId }, ctx.now));
  if (!found) throw unknown();
  const target = targetOf(found);
  if (found.invited_by !== userId) await invitedTo.getTitle(ctx.tx, ctx.scope, target).catch(hide);
  await deleteInvitation(ctx.tx, found.id);
  const role = found.role as Role;
  await record(ctx, "invitation.withdrawn", { id: found.id, target, role });
}

/**
 * Withdraws what waits for an address, with its owner's account; whoever else gave such an address could do away with
 * what others were sent, so it has to be a confirmed one.
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

/** What the inviter may not do any more, or what is gone, is no invitation: the bearer learns no more. */
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

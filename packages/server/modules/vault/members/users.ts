import { type Scope, toActorName } from "../../../kernel/actor.ts";
import type { Ctx } from "../../../kernel/ctx.ts";
import type { Db, Tx } from "../../../platform/db/db.ts";
import { Fault, rejectField } from "../../../platform/errors.ts";
import type { MailLanguage } from "../../../platform/mail/languages.ts";
import { recordEvent } from "../../../kernel/events/events.ts";
import { type UserCard, findUserByEmail, findUserById } from "../../../kernel/users-store.ts";
import { getDocument, lockForChange } from "../documents/access.ts";
import { toTitle } from "../documents/documents.ts";
import { lockForRightsChange } from "../documents/organization-owners.ts";
import { assertSeats, toOrganization } from "../documents/plan-limits.ts";
import type { Resource } from "../schemas/resources.ts";
import { type Right, type Role, isAllowed, rolesUpTo } from "../../../kernel/rights.ts";
import type { DocumentRow } from "../documents/store.ts";
import type { VaultApp } from "../documents/vault.ts";
import {
  type DocumentUserRow,
  deleteDocumentUser,
  hasRoles,
  insertOwner,
  listDocumentUsers,
  listUsersKnownTo,
  putDocumentUser,
  updateRolesBelow,
} from "../documents/users-store.ts";

import { findOwnershipGiver } from "./holders-store.ts";

export const USERS_MAX = 500;

interface Target {
  resource: Resource;
  id: string;
}

/** A user with roles on a document or on its parents. The caller does not see the address and the name of some. */
export interface DocumentUser extends Omit<
  DocumentUserRow,
  "document_id" | "is_disclosed" | "display_name"
> {
  display_name: string | null;
  /** The parent that the roles come from, if there are none on the document itself. */
  inheritedFrom: string | undefined;
}

/** The users of a document, including inherited ones. Throws `Fault` not-found, forbidden. */
export async function listUsers(
  db: Db,
  scope: Scope,
  { resource, id }: Target,
): Promise<DocumentUser[]> {
  return readUsers(db, scope, await getDocument(db, scope, { resource: resource.name, id }));
}

async function readUsers(db: Db | Tx, scope: Scope, row: DocumentRow): Promise<DocumentUser[]> {
  const ids = [row.id, row.project_id, row.organization_id].filter((id) => id !== null);
  const byUser = Map.groupBy(await listDocumentUsers(db, ids), (user) => user.user_id);
  const hidden = await findHidden(db, scope, byUser);
  return [...byUser.values()].flatMap((rows) => {
    const own = rows.find((user) => user.document_id === row.id);
    const main = own ?? rows[0];
    if (!main) return [];
    const { document_id: from, is_disclosed: _, ...user } = main;
    const names = hidden.has(user.user_id)
      ? { email: null, email_verified_at: null, display_name: null }
      : {};
    const roles = [...new Set(rows.flatMap((each) => each.roles))];
    return [{ ...user, ...names, roles, inheritedFrom: own ? undefined : from }];
  });
}

/**
 * The users whose address and name the scope does not see: they were added by their id, have not opened the document
 * since, and share no other document with the scope. Otherwise an id would be enough to learn both.
 */
async function findHidden(
  db: Db | Tx,
  scope: Scope,
  byUser: ReadonlyMap<string, readonly DocumentUserRow[]>,
): Promise<ReadonlySet<string>> {
  if (scope.kind === "system") return new Set();
  const undisclosed = [...byUser]
    .filter(([id, rows]) => id !== scope.userId && !rows.some((user) => user.is_disclosed))
    .map(([id]) => id);
  if (undisclosed.length === 0) return new Set();
  const query = { viewerId: scope.userId, userIds: undisclosed };
  const known = await listUsersKnownTo(db, query);
  return new Set(undisclosed.filter((id) => !known.includes(id)));
}

/**
 * Replaces a user's roles on a document. If this lowers the highest role, the user's roles on the document's children
 * are lowered as well. A new user of the document is notified.
 * @throws Fault impossible for a user that does not exist or has no seat in the organization's plan, conflict
 *   when no owner would remain or the document has 500 users, not-found, forbidden
 */
export async function addUser(
  ctx: Ctx,
  { plans, memberMails }: Pick<VaultApp, "plans" | "memberMails">,
  {
    lookup,
    language,
    ...target
  }: Target & { lookup: UserLookup; roles: readonly Role[]; language: MailLanguage },
): Promise<DocumentUser[]> {
  const row = await lockTarget(ctx, target);
  await lockForRightsChange(ctx, row);
  const { user, path, missing } = lookup;
  // Checked after the owner's rights, so that only an owner learns who has an account.
  if (!user) rejectField(path, missing);
  const users = await listDocumentUsers(ctx.tx, [row.id]);
  if (!target.roles.includes("owner")) assertOwnerRemains(row, users, user.id);
  if (users.length >= USERS_MAX && !users.some((u) => u.user_id === user.id))
    throw new Fault("conflict", `A document has at most ${USERS_MAX} users.`);
  await assertSeats(ctx, plans, { organizationId: toOrganization(row), userId: user.id });
  const change = { documentId: row.id, userId: user.id, roles: target.roles };
  const addedBy = toActorName(ctx.actor);
  // A caller who gives the address knows it already.
  const isDisclosed = path === "/email" || user.id === addedBy;
  await putDocumentUser(ctx.tx, { ...change, isDisclosed, now: ctx.now });
  const present = users.find((each) => each.user_id === user.id);
  if (!present && user.id !== addedBy)
    await memberMails.postAdded(ctx, {
      userId: user.id,
      addedBy,
      documentId: row.id,
      title: toTitle(row),
      roles: target.roles,
      isDisclosed,
      language,
    });
  const before = present?.roles ?? [];
  const below = isLowered(before, target.roles) ? await updateRolesBelow(ctx.tx, change) : [];
  await recordRights(ctx, row, { userId: user.id, roles: target.roles, below });
  return readUsers(ctx.tx, ctx.scope, row);
}

/** Whether the highest role is lower than before. */
function isLowered(before: readonly string[], after: readonly string[]): boolean {
  return rolesUpTo(after).length < rolesUpTo(before).length;
}

/** The user that a request identifies by id or address. */
export interface UserLookup {
  path: "/userId" | "/email";
  /** Undefined if there is no such user, or the address is not confirmed. */
  user: UserCard | undefined;
  /** The error message in that case. */
  missing: string;
}

/**
 * Finds the user that a request identifies. By default an address identifies an account only if it is confirmed, since
 * anybody can sign up with another person's address. A setting allows unconfirmed addresses.
 *
 * @throws Fault invalid without id and address, too-many after many ids and addresses without an account
 */
export async function lookUpUser(
  { db, config, lookups, now }: Pick<VaultApp, "db" | "config" | "lookups" | "now">,
  {
    userId,
    email,
    by,
    documentId,
  }: { userId?: string; email?: string; by: string; documentId: string },
): Promise<UserLookup> {
  if (userId !== undefined) {
    const find = () => findUserById(db, userId);
    // The document's own users are listed anyway.
    const isPresent = await hasRoles(db, { documentId, userId });
    const user = isPresent ? await find() : await lookups.find({ by, now: now() }, find);
    return { path: "/userId", user, missing: "belongs to no user of this service" };
  }
  const path = "/email";
  if (email === undefined) return rejectMissing(path);
  const isConfirmedOnly = config.mail.rightsByEmail === "confirmed";
  const user = await lookups.find({ by, now: now() }, async () => {
    const found = await findUserByEmail(db, email);
    return found && (found.isConfirmed || !isConfirmedOnly) ? found : undefined;
  });
  const condition = isConfirmedOnly ? " who has confirmed it" : "";
  return {
    path,
    user,
    missing: `belongs to no user of this service${condition}: send an invitation instead`,
  };
}

function rejectMissing(path: string): never {
  const message = "is required unless userId is given";
  rejectField(path, message, "invalid");
}

/**
 * Removes a user's roles on a document and on its children. Every user may remove their own, and stays unknown to the
 * others if the document was never opened.
 * @throws Fault conflict when no owner would remain, not-found, forbidden
 */
export async function removeUser(
  ctx: Ctx,
  target: Target & { userId: string },
): Promise<DocumentUser[]> {
  const isSelf = ctx.actor.kind === "user" && ctx.actor.userId === target.userId;
  const row = await lockTarget(ctx, target, isSelf ? "leave" : "own");
  if (!isSelf) await lockForRightsChange(ctx, row);
  const users = await listDocumentUsers(ctx.tx, [row.id]);
  const present = users.find((user) => user.user_id === target.userId);
  if (!present) await rejectAbsent(ctx, row, target.userId);
  const isUnopened = isSelf && present?.is_disclosed === false;
  if (!isUnopened) assertOwnerRemains(row, users, target.userId);
  const removal = { documentId: row.id, userId: target.userId, roles: [] };
  await deleteDocumentUser(ctx.tx, removal);
  const below = await updateRolesBelow(ctx.tx, removal);
  // The event of a user who stays unknown has neither the name (see `listEvents`) nor the network.
  await recordRights(isUnopened ? { ...ctx, network: undefined } : ctx, row, {
    userId: target.userId,
    roles: [],
    below,
    ...(isUnopened ? { isOpened: false } : {}),
  });
  if (isUnopened && !hasOtherOwner(users, target.userId))
    await returnOwnership(ctx, row, target.userId);
  return readUsers(ctx.tx, ctx.scope, row);
}

/**
 * Makes the user who made another one the owner an owner again, after that one, the last owner, has left without having
 * opened the document: nobody stays the owner of something that they have not accepted.
 */
export async function returnOwnership(ctx: Ctx, row: DocumentRow, leaverId: string): Promise<void> {
  const giver = await findOwnershipGiver(ctx.tx, { documentId: row.id, userId: leaverId });
  if (giver === undefined || !(await findUserById(ctx.tx, giver))) return;
  await insertOwner(ctx.tx, { documentId: row.id, userId: giver, now: ctx.now });
  await recordRights({ ...ctx, network: undefined }, row, {
    userId: giver,
    roles: ["owner"],
    isOpened: false,
  });
}

/** Rejects the removal of a user who has no roles on the document itself. */
async function rejectAbsent(ctx: Ctx, row: DocumentRow, userId: string): Promise<never> {
  const users = await readUsers(ctx.tx, ctx.scope, row);
  const from = users.find((user) => user.user_id === userId)?.inheritedFrom;
  if (from === undefined) throw new Fault("not-found", `The document has no user ${userId}.`);
  const above = from === row.project_id ? "project" : "organization";
  throw new Fault(
    "conflict",
    `The user's roles come from the ${above} ${from}. Remove them there.`,
  );
}

/**
 * Documents with a parent are exempt, since the parent's owners own them too (wire section 2). Owners with disabled
 * accounts do not count.
 */
function assertOwnerRemains(row: DocumentRow, users: DocumentUserRow[], without: string): void {
  if (row.project_id !== null || row.organization_id !== null) return;
  if (hasOtherOwner(users, without)) return;
  throw new Fault(
    "conflict",
    "A document needs at least one owner. Make another user an owner first.",
  );
}

function hasOtherOwner(users: readonly DocumentUserRow[], without: string): boolean {
  return users.some(
    ({ user_id, roles, disabled_at }) =>
      user_id !== without && disabled_at === null && isAllowed(roles, "own"),
  );
}

function lockTarget(ctx: Ctx, { resource, id }: Target, right?: Right): Promise<DocumentRow> {
  return lockForChange(ctx, { resource: resource.name, id, right });
}

const DOCUMENTS_RECORDED_MAX = 100;

/** Records a change of a user's roles on a document and on its children, of which the first 100 are listed. */
export async function recordRights(
  ctx: Ctx,
  row: DocumentRow,
  {
    below = [],
    ...data
  }: { userId: string; roles: readonly Role[]; below?: readonly string[]; isOpened?: false },
): Promise<void> {
  const projectId = row.resource === "projects" ? row.id : (row.project_id ?? undefined);
  const documentIds = below.slice(0, DOCUMENTS_RECORDED_MAX);
  const children = below.length > 0 ? { below: { count: below.length, documentIds } } : {};
  await recordEvent(ctx, {
    name: "rights.changed",
    projectId,
    documentId: row.id,
    data: { ...data, ...children },
  });
}

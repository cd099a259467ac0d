import type { Scope } from "../../../kernel/actor.ts";
import type { Ctx } from "../../../kernel/ctx.ts";
import type { Db, Tx } from "../../../platform/db/db.ts";
import { Fault } from "../../../platform/errors.ts";
import { recordEvent } from "../../../kernel/events/events.ts";
import { type UserCard, findUserByEmail, findUserById } from "../../../kernel/users-store.ts";
import type { Plans } from "../../billing/plans.ts";
import { getDocument, lockForChange } from "../documents/access.ts";
import { lockForGiving } from "../documents/organization-owners.ts";
import { assertSeats, toOrganization } from "../documents/plan-limits.ts";
import type { Resource } from "../schemas/resources.ts";
import { type Right, type Role, isAllowed, rolesUpTo } from "../../../kernel/rights.ts";
import type { DocumentRow } from "../documents/store.ts";
import type { VaultApp } from "../documents/vault.ts";
import {
  type DocumentUserRow,
  deleteDocumentUser,
  listDocumentUsers,
  putDocumentUser,
  updateRolesBelow,
} from "../documents/users-store.ts";

export const USERS_MAX = 500;

interface Target {
  resource: Resource;
  id: string;
}

/** Somebody with roles on a document: its own, and those of what it belongs to. */
export interface DocumentUser extends Omit<DocumentUserRow, "document_id"> {
  /** Where all of the roles come from, when none is the document's own. */
  inheritedFrom: string | undefined;
}

/** The users of a document, inherited ones too. Throws `Fault` not-found, forbidden. */
export async function listUsers(
  db: Db,
  scope: Scope,
  { resource, id }: Target,
): Promise<DocumentUser[]> {
  return readUsers(db, await getDocument(db, scope, { resource: resource.name, id }));
}

async function readUsers(db: Db | Tx, row: DocumentRow): Promise<DocumentUser[]> {
  const ids = [row.id, row.project_id, row.organization_id].filter((id) => id !== null);
  const byUser = Map.groupBy(await listDocumentUsers(db, ids), (user) => user.user_id);
  return [...byUser.values()].flatMap((rows) => {
    const own = rows.find((user) => user.document_id === row.id);
    const shown = own ?? rows[0];
    if (!shown) return [];
    const { document_id: from, ...user } = shown;
    const roles = [...new Set(rows.flatMap((each) => each.roles))];
    return [{ ...user, roles, inheritedFrom: own ? undefined : from }];
  });
}

/**
 * Gives a user roles on a document, in place of those they had. Where they are lowered, so are those that the user has
 * on what is below it.
 * @throws Fault impossible for a user that does not exist or has no seat in the organization's plan, conflict
 *   when no owner would remain or the document has 500 users, not-found, forbidden
 */
export async function addUser(
  ctx: Ctx,
  plans: Plans,
  { named, ...target }: Target & { named: Named; roles: readonly Role[] },
): Promise<DocumentUser[]> {
  const row = await lockTarget(ctx, target);
  await lockForGiving(ctx, row);
  const { user, path, missing } = named;
  // Only now: nobody but an owner learns who is a user here.
  if (!user)
    throw new Fault("impossible", `${path}: ${missing}`, { faults: [{ path, message: missing }] });
  const users = await listDocumentUsers(ctx.tx, [row.id]);
  if (!target.roles.includes("owner")) assertOwnerRemains(row, users, user.id);
  if (users.length >= USERS_MAX && !users.some((u) => u.user_id === user.id))
    throw new Fault("conflict", `A document has at most ${USERS_MAX} users.`);
  await assertSeats(ctx, plans, { organizationId: toOrganization(row), userId: user.id });
  const given = { documentId: row.id, userId: user.id, roles: target.roles };
  await putDocumentUser(ctx.tx, { ...given, now: ctx.now });
  const before = users.find((each) => each.user_id === user.id)?.roles ?? [];
  const below = isLowered(before, target.roles) ? await updateRolesBelow(ctx.tx, given) : [];
  await recordRights(ctx, row, { userId: user.id, roles: target.roles, below });
  return readUsers(ctx.tx, row);
}

/** Whether the highest of somebody's roles is less than it was: what they have below goes down with it. */
function isLowered(before: readonly string[], after: readonly string[]): boolean {
  return rolesUpTo(after).length < rolesUpTo(before).length;
}

/** Whom a request names, by their id or their address. */
export interface Named {
  path: "/userId" | "/email";
  /** Undefined where it is nobody who may be given roles so. */
  user: UserCard | undefined;
  /** What there is to say then. */
  missing: string;
}

/**
 * Finds whom a request names. An address names an account only where somebody has shown that it is theirs,
 * unless the service is set otherwise: anybody can sign up with the address of somebody else.
 *
 * @throws Fault invalid where nobody is named, too-many after many addresses of nobody's
 */
export async function findNamed(
  { db, config, lookups, now }: Pick<VaultApp, "db" | "config" | "lookups" | "now">,
  { userId, email, by }: { userId?: string; email?: string; by: string },
): Promise<Named> {
  if (userId !== undefined) {
    const missing = "belongs to no user of this service";
    return { path: "/userId", user: await findUserById(db, userId), missing };
  }
  const path = "/email";
  if (email === undefined) return refuseNobody(path);
  const isConfirmedOnly = config.mail.rightsByEmail === "confirmed";
  const user = await lookups.find({ by, now: now() }, async () => {
    const found = await findUserByEmail(db, email);
    return found && (found.isConfirmed || !isConfirmedOnly) ? found : undefined;
  });
  const whose = isConfirmedOnly ? " who has confirmed it" : "";
  return { path, user, missing: `belongs to no user of this service${whose}: invite them` };
}

function refuseNobody(path: string): never {
  const message = "is required, or userId";
  throw new Fault("invalid", `${path}: ${message}`, { faults: [{ path, message }] });
}

/**
 * Takes a user's roles on a document, and on what is below it. Everybody may leave by themselves.
 * @throws Fault conflict when no owner would remain, not-found, forbidden
 */
export async function removeUser(
  ctx: Ctx,
  target: Target & { userId: string },
): Promise<DocumentUser[]> {
  const leaves = ctx.actor.kind === "user" && ctx.actor.userId === target.userId;
  const row = await lockTarget(ctx, target, leaves ? "leave" : "own");
  if (!leaves) await lockForGiving(ctx, row);
  const users = await listDocumentUsers(ctx.tx, [row.id]);
  if (!users.some((user) => user.user_id === target.userId))
    await refuseAbsent(ctx, row, target.userId);
  assertOwnerRemains(row, users, target.userId);
  const taken = { documentId: row.id, userId: target.userId, roles: [] };
  await deleteDocumentUser(ctx.tx, taken);
  const below = await updateRolesBelow(ctx.tx, taken);
  await recordRights(ctx, row, { userId: target.userId, roles: [], below });
  return readUsers(ctx.tx, row);
}

/** Nobody is taken off a document who is not on it, or only through what it belongs to. */
async function refuseAbsent(ctx: Ctx, row: DocumentRow, userId: string): Promise<never> {
  const users = await readUsers(ctx.tx, row);
  const from = users.find((user) => user.user_id === userId)?.inheritedFrom;
  if (from === undefined) throw new Fault("not-found", `The document has no user ${userId}.`);
  const above = from === row.project_id ? "project" : "organization";
  throw new Fault("conflict", `Their roles come from the ${above} ${from}: remove them there.`);
}

/**
 * A document that belongs to another one has that one's owners too (wire section 2). Whose account is disabled can do
 * nothing for it.
 */
function assertOwnerRemains(row: DocumentRow, users: DocumentUserRow[], without: string): void {
  if (row.project_id !== null || row.organization_id !== null) return;
  const isOther = ({ user_id, roles, disabled_at }: DocumentUserRow): boolean =>
    user_id !== without && disabled_at === null && isAllowed(roles, "own");
  if (users.some(isOther)) return;
  throw new Fault("conflict", "A document always keeps one owner: make somebody else owner first.");
}

function lockTarget(ctx: Ctx, { resource, id }: Target, right?: Right): Promise<DocumentRow> {
  return lockForChange(ctx, { resource: resource.name, id, right });
}

const TOLD_MAX = 100;

/** Records that a user's roles on a document changed, and on which below it with them; the first 100 are named. */
export async function recordRights(
  ctx: Ctx,
  row: DocumentRow,
  { below = [], ...data }: { userId: string; roles: readonly Role[]; below?: readonly string[] },
): Promise<void> {
  const projectId = row.resource === "projects" ? row.id : (row.project_id ?? undefined);
  const documentIds = below.slice(0, TOLD_MAX);
  const told = below.length > 0 ? { below: { count: below.length, documentIds } } : {};
  await recordEvent(ctx, {
    name: "rights.changed",
    projectId,
    documentId: row.id,
    data: { ...data, ...told },
  });
}

import type { Scope } from "../../../kernel/actor.ts";
import type { Ctx } from "../../../kernel/ctx.ts";
import type { Db, Tx } from "../../../platform/db/db.ts";
import { Fault } from "../../../platform/errors.ts";
import type { Plans } from "../../billing/plans.ts";
import { getDocument, openDocument } from "../documents/access.ts";
import { toTitle } from "../documents/documents.ts";
import { assertOrganizationOwner, lockForRightsChange } from "../documents/organization-owners.ts";
import { assertSeats, toOrganization } from "../documents/plan-limits.ts";
import type { Role } from "../../../kernel/rights.ts";
import { findDocument, lockDocument } from "../documents/store.ts";
import { USERS_MAX, recordRights } from "./users.ts";
import { listDocumentUsers, putDocumentUser } from "../documents/users-store.ts";

interface Target {
  collection: "projects" | "organizations";
  id: string;
}

/** The invited user. */
export interface NewMember extends Target {
  userId: string;
  role: Role;
  invitedBy: string;
}

/** The title of a document, for users who may invite to it. Throws `Fault` not-found, forbidden. */
export async function getTitle(
  db: Db | Tx,
  scope: Scope,
  { collection, id }: Target,
): Promise<string> {
  const row = await getDocument(db, scope, { resource: collection, id, right: "own" });
  await assertOrganizationOwner(db, scope, { of: row, needs: "can invite to it" });
  return toTitle(row);
}

/** Whether the scope has any role on a project, which counts as opened then. */
export async function isVisible(db: Db | Tx, scope: Scope, projectId: string): Promise<boolean> {
  const held = await findDocument(db, scope, { resource: "projects", id: projectId });
  if (held) await openDocument(db, scope, held);
  return held !== undefined;
}

/**
 * Adds a role to those of an invited user. The inviter must still be an owner: an invitation grants nothing that the
 * inviter cannot grant now.
 *
 * @throws Fault not-found, forbidden (for the inviter), conflict when the document has 500 users, impossible when the
 *   organization's plan has no seat
 */
export async function addMember(
  ctx: Ctx,
  plans: Plans,
  { collection, id, userId, role, invitedBy }: NewMember,
): Promise<void> {
  await lockDocument(ctx.tx, id, "update");
  const scope = { kind: "user", userId: invitedBy } as const;
  const row = await getDocument(ctx.tx, scope, { resource: collection, id, right: "own" });
  await lockForRightsChange(ctx, row, scope);
  const users = await listDocumentUsers(ctx.tx, [id]);
  const present = users.find((user) => user.user_id === userId);
  if (!present && users.length >= USERS_MAX)
    throw new Fault("conflict", `A document has at most ${USERS_MAX} users.`);
  await assertSeats(ctx, plans, { organizationId: toOrganization(row), userId });
  const roles = [...new Set([...((present?.roles ?? []) as Role[]), role])];
  const isDisclosed = true;
  await putDocumentUser(ctx.tx, { documentId: id, userId, roles, isDisclosed, now: ctx.now });
  await recordRights(ctx, row, { userId, roles });
}

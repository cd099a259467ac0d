import type { Scope } from "../../../kernel/actor.ts";
import type { Ctx } from "../../../kernel/ctx.ts";
import type { Db, Tx } from "../../../platform/db/db.ts";
import { Fault } from "../../../platform/errors.ts";
import { isAllowed } from "../../../kernel/rights.ts";
import { type DocumentRow, findDocument, lockDocument } from "./store.ts";

/**
 * Requires an owner of the organization for changing rights on a document that belongs to it, for moving it and for
 * deleting it. The creator of a project owns the project, and could otherwise keep it or add other owners after losing
 * their role in the organization. A document without an organization needs only its own owner.
 *
 * @param needs the end of the sentence "Only an owner of its organization …"
 * @throws Fault forbidden
 */
export async function assertOrganizationOwner(
  db: Db | Tx,
  scope: Scope,
  { of, needs }: { of: Pick<DocumentRow, "organization_id">; needs: string },
): Promise<void> {
  if (of.organization_id === null) return;
  const above = { resource: "organizations", id: of.organization_id };
  const held = await findDocument(db, scope, above);
  if (!held || !isAllowed(held.roles, "own"))
    throw new Fault("forbidden", `Only an owner of its organization ${needs}.`);
}

/**
 * Like `assertOrganizationOwner`, before a change of rights. Locks the organization until the transaction ends, so that
 * a user whose role is being removed there cannot add rights. Locks for update, since seats are counted under this lock.
 */
export async function lockForRightsChange(
  ctx: Ctx,
  of: DocumentRow,
  scope = ctx.scope,
): Promise<void> {
  if (of.organization_id === null) return;
  await lockDocument(ctx.tx, of.organization_id, "update");
  await assertOrganizationOwner(ctx.tx, scope, { of, needs: "can change the rights on it" });
}

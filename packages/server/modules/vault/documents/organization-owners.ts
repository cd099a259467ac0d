import type { Scope } from "../../../kernel/actor.ts";
import type { Ctx } from "../../../kernel/ctx.ts";
import type { Db, Tx } from "../../../platform/db/db.ts";
import { Fault } from "../../../platform/errors.ts";
import { isAllowed } from "../../../kernel/rights.ts";
import { type DocumentRow, findDocument, lockDocument } from "./store.ts";

/**
 * Holds that who decides about something that belongs to an organization owns that too: who has rights on it, where it
 * goes and whether it is deleted. Who made a project there owns the project, and would otherwise keep it, or bring
 * others in who do, when the organization takes their role. What belongs to none, its own owners decide about.
 *
 * @param needs what it is that needs them, to end the sentence "An owner of its organization …"
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
 * The same, before rights are given or taken: the organization is locked until the transaction ends, so that nobody
 * gives any whose own are being taken there. For update, as seats are counted under that lock.
 */
export async function lockForGiving(ctx: Ctx, of: DocumentRow, scope = ctx.scope): Promise<void> {
  if (of.organization_id === null) return;
  await lockDocument(ctx.tx, of.organization_id, "update");
  await assertOrganizationOwner(ctx.tx, scope, { of, needs: "decides who has rights on it" });
}

import { toActorName } from "../../../kernel/actor.ts";
import type { Ctx } from "../../../kernel/ctx.ts";
import { recordEvent } from "../../../kernel/events/events.ts";
import { Fault } from "../../../platform/errors.ts";
import { lockForChange } from "../../vault/documents/access.ts";
import { listOwnerIds } from "../../vault/members/holders.ts";
import { deleteErasureRule, insertErasureRule } from "./rule-store.ts";

/** The part of the store that other modules may use. */
export { hasErasureRule } from "./rule-store.ts";

/**
 * Switches the second person's confirmation of erasures on or off. Open proposals stay.
 * @throws Fault not-found, forbidden; impossible to switch it on for a project with one owner
 */
export async function setErasureRule(
  ctx: Ctx,
  { projectId, needsSecondPerson }: { projectId: string; needsSecondPerson: boolean },
): Promise<void> {
  const { tx, now } = ctx;
  await lockForChange(ctx, { resource: "projects", id: projectId });
  if (needsSecondPerson && (await listOwnerIds(tx, projectId, 2)).length < 2)
    throw new Fault(
      "impossible",
      "Only owners can erase, and the project has one. Add a second owner first.",
    );
  const userId = toActorName(ctx.actor);
  const isChanged = needsSecondPerson
    ? await insertErasureRule(tx, { projectId, userId, now })
    : await deleteErasureRule(tx, projectId);
  if (!isChanged) return;
  const data = { needsSecondPerson };
  await recordEvent(ctx, {
    name: "erasure-rule.changed",
    projectId,
    documentId: projectId,
    data,
  });
}

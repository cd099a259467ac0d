import type { Ctx } from "../../../kernel/ctx.ts";
import { Fault } from "../../../platform/errors.ts";
import { listOwnedAlone, lockOwned } from "./holders-store.ts";

const NAMED_MAX = 20;

/**
 * Holds that nothing loses its last owner when the caller's account goes; what they own is locked until the transaction ends.
 * @throws Fault conflict, naming the first 20 documents that nobody else owns
 */
export async function assertOwnersRemain(ctx: Ctx): Promise<void> {
  const userId = ctx.actor.kind === "user" ? ctx.actor.userId : "";
  await lockOwned(ctx.tx, userId);
  const alone = await listOwnedAlone(ctx.tx, userId, NAMED_MAX);
  if (alone.length === 0) return;
  const faults = alone.map(({ id, resource, title }) => ({
    path: `/${resource}/${id}`,
    message: `${title ?? id} has no other owner`,
  }));
  throw new Fault(
    "conflict",
    `You are the last owner of ${alone.map(({ title, id }) => `“${title ?? id}”`).join(", ")}: make somebody else owner, or delete it first.`,
    { faults },
  );
}

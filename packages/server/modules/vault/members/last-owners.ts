import type { Ctx } from "../../../kernel/ctx.ts";
import { Fault } from "../../../platform/errors.ts";
import { listSolelyOwned, lockOwned } from "./holders-store.ts";

const DOCUMENTS_SHOWN = 20;

/**
 * Checks that no document loses its last owner with the deletion of the caller's account, and locks the documents that
 * they own until the transaction ends.
 * @throws Fault conflict, with the first 20 documents without another owner
 */
export async function assertOwnersRemain(ctx: Ctx): Promise<void> {
  const userId = ctx.actor.kind === "user" ? ctx.actor.userId : "";
  await lockOwned(ctx.tx, userId);
  const documents = await listSolelyOwned(ctx.tx, userId, DOCUMENTS_SHOWN);
  if (documents.length === 0) return;
  const faults = documents.map(({ id, resource, title }) => ({
    path: `/${resource}/${id}`,
    message: `${title ?? id} has no other owner`,
  }));
  throw new Fault(
    "conflict",
    `You are the last owner of ${documents.map(({ title, id }) => `“${title ?? id}”`).join(", ")}. Make another user an owner, or delete it first.`,
    { faults },
  );
}

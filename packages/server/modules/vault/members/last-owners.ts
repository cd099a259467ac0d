import type { Ctx } from "../../../kernel/ctx.ts";
import { Fault } from "../../../platform/errors.ts";
import { findDocument } from "../documents/store.ts";
import { listSolelyOwned, listUnopenedSolelyOwned, lockOwned } from "./holders-store.ts";
import { returnOwnership } from "./users.ts";

const DOCUMENTS_SHOWN = 20;

/**
 * Checks that no document loses its last owner with the deletion of the caller's account, and locks the documents that
 * they own until the transaction ends. Documents that others made them the last owner of, and that they never opened, are returned.
 * @throws Fault conflict, with the first 20 documents without another owner
 */
export async function assertOwnersRemain(ctx: Ctx): Promise<void> {
  const userId = ctx.actor.kind === "user" ? ctx.actor.userId : "";
  await lockOwned(ctx.tx, userId);
  const documents = await listSolelyOwned(ctx.tx, userId, DOCUMENTS_SHOWN);
  if (documents.length === 0) return returnUnopened(ctx, userId);
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

async function returnUnopened(ctx: Ctx, userId: string): Promise<void> {
  for (const document of await listUnopenedSolelyOwned(ctx.tx, userId)) {
    const found = await findDocument(ctx.tx, { kind: "system" }, document);
    if (found) await returnOwnership(ctx, found.row, userId);
  }
}

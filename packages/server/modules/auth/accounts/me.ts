import type { Scope } from "../../../kernel/actor.ts";
import type { Ctx } from "../../../kernel/ctx.ts";
import { recordEvent } from "../../../kernel/events/events.ts";
import type { Db, Tx } from "../../../platform/db/db.ts";
import { Fault } from "../../../platform/errors.ts";
import { countRecoveryCodes, findConfirmedFactor } from "../factors/store.ts";
import { listIdentities } from "../identities/store.ts";
import { findUser, updateUser } from "../users/store.ts";
import { toNameChanges } from "./account.ts";
import type { MePatchIn } from "./schema.ts";

export type Me = Awaited<ReturnType<typeof getMe>>;

/** The signed-in user, with identities and without secrets. */
export async function getMe(db: Db | Tx, scope: Scope) {
  const user = await findUser(db, scope);
  if (!user) throw new Fault("unauthenticated", "The user of this token no longer exists.");
  const factor = await findConfirmedFactor(db, user.id);
  return {
    ...user,
    identities: await listIdentities(db, scope),
    factor: factor && { ...factor, codesLeft: await countRecoveryCodes(db, user.id) },
  };
}

/** Changes the names of the user; a request that changes nothing writes nothing. */
export async function updateMe(ctx: Ctx, input: MePatchIn): Promise<Me> {
  const { displayName, firstName, lastName } = toNameChanges(input);
  const changes = Object.entries({
    display_name: displayName,
    first_name: firstName,
    last_name: lastName,
  }).filter(([, value]) => value !== undefined);
  if (changes.length > 0) {
    await updateUser(ctx.tx, ctx.scope, Object.fromEntries(changes));
    const fields = changes.map(([name]) => name);
    await recordEvent(ctx, { name: "user.updated", data: { fields } });
  }
  return getMe(ctx.tx, ctx.scope);
}

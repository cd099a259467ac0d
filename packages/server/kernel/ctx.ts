import { type Actor, type Scope, toScope } from "./actor.ts";
import type { Tx } from "../platform/db/db.ts";

/** The context of a write: the open transaction, the actor, the time and the request. */
export interface Ctx {
  tx: Tx;
  actor: Actor;
  scope: Scope;
  now: Date;
  requestId: string | undefined;
  /** The network that the request came from, for the audit trail; undefined for jobs. */
  network?: string | undefined;
}

export function toCtx(ctx: Omit<Ctx, "scope">): Ctx {
  return { ...ctx, scope: toScope(ctx.actor) };
}

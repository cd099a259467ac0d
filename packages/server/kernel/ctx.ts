import { type Actor, type Scope, toScope } from "./actor.ts";
import type { Tx } from "../platform/db/db.ts";

/** What every verb that writes takes: the open transaction, who acts, when, and for which request. */
export interface Ctx {
  tx: Tx;
  actor: Actor;
  scope: Scope;
  now: Date;
  requestId: string | undefined;
  /** The network that the request came from, for the audit trail; undefined for jobs. */
  network?: string | undefined;
}

/** A verb's context. */
export function toCtx(ctx: Omit<Ctx, "scope">): Ctx {
  return { ...ctx, scope: toScope(ctx.actor) };
}

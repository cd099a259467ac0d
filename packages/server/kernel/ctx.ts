import { type Actor, type Scope, toScope } from "./actor.ts";
import type { DataTx, Tx } from "../platform/db/db.ts";

/** The actor, the time and the request of a write. */
interface Cause {
  actor: Actor;
  scope: Scope;
  now: Date;
  requestId: string | undefined;
  /** The network that the request came from, for the audit trail; undefined for jobs. */
  network?: string | undefined;
}

/** The context of a write to the control plane, with its open transaction. */
export interface Ctx extends Cause {
  tx: Tx;
}

/** The context of a write to the data plane. It reads nothing of the control plane: rights are checked before. */
export interface DataCtx extends Cause {
  tx: DataTx;
}

export function toCtx<T extends Tx | DataTx>(
  ctx: Omit<Cause, "scope"> & { tx: T },
): Cause & { tx: T } {
  return { ...ctx, scope: toScope(ctx.actor) };
}

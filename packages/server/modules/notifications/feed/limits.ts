import { toCtx } from "../../../kernel/ctx.ts";
import { recordEvent } from "../../../kernel/events/events.ts";
import type { NumberedTrailRow } from "../../../kernel/events/numbered-store.ts";
import type { Tx } from "../../../platform/db/db.ts";
import { findTier } from "../../billing/billing.ts";
import { countUse } from "../../vault/documents/plan-limits.ts";
import type { NotificationsApp } from "../choices/ports.ts";
import { listAnnounced } from "./store.ts";

/** Share of a limit from which owners are warned. */
const NEAR = 0.8;
/** An organization is warned once in this time. */
const WARNED_MS = 30 * 86_400_000;
const LIMIT_EVENT = "plan.limit-near";
/** Events that use up a limit. */
const usingEvents: ReadonlySet<string> = new Set(["rights.changed", "configuration.created"]);

/** The actor of events that nobody caused, but time or numbers. */
export const notifier = { kind: "system", name: "notifications" } as const;

/** Records that an organization is near a limit of its plan, after events that use it up, once in 30 days. */
export async function recordLimits(
  tx: Tx,
  { plans, now }: Pick<NotificationsApp, "plans" | "now">,
  events: readonly NumberedTrailRow[],
): Promise<void> {
  const ids = events.flatMap(({ name, organization_id: id }) =>
    usingEvents.has(name) && id !== null ? [id] : [],
  );
  const documentIds = [...new Set(ids)];
  const since = new Date(now().getTime() - WARNED_MS);
  const warned = await listAnnounced(tx, { name: LIMIT_EVENT, documentIds, since });
  for (const organizationId of documentIds.filter((id) => !warned.has(id))) {
    const { plan } = await findTier(tx, { plans, organizationId, now: now() });
    if (plan.seatsMax === null && plan.configurationsMax === null) continue;
    const { seats, configurations } = await countUse(tx, organizationId);
    const share = Math.max(
      plan.seatsMax === null ? 0 : seats / plan.seatsMax,
      plan.configurationsMax === null ? 0 : configurations / plan.configurationsMax,
    );
    if (share < NEAR) continue;
    const ctx = toCtx({ tx, actor: notifier, now: now(), requestId: undefined });
    const data = { plan: plan.name, percent: Math.round(share * 100) };
    await recordEvent(ctx, { name: LIMIT_EVENT, documentId: organizationId, data });
  }
}

import type { Insertable } from "kysely";
import type { Tables } from "../../platform/db/tables.ts";
import { toActorName, toTokenId } from "../actor.ts";
import type { Ctx } from "../ctx.ts";
import { insertEvent } from "./events-store.ts";

/** Event names (wire section 6). */
export type EventName =
  | "user.joined"
  | "user.updated"
  | "user.signed-in"
  | "user.signed-out"
  | "user.invited"
  | `user.${"disabled" | "enabled" | "deleted"}`
  | "user.email-confirmed"
  | `password.${"changed" | "reset-asked"}`
  | `invitation.${"accepted" | "withdrawn"}`
  | `key.${"created" | "revoked"}`
  | `identity.${"linked" | "unlinked"}`
  | `factor.${"added" | "removed" | "recovery-codes-made" | "recovery-code-used"}`
  | "session.confirmed"
  | `operator.${"added" | "removed"}`
  | "signups.changed"
  | `${"project" | "configuration"}.${"created" | "updated" | "deleted"}`
  | "rights.changed"
  | "project.moved"
  | `template.${"followed" | "left" | "publication-requested" | "publication-done" | "publication-cancelled"}`
  | `domain.${"set" | "removed" | "found" | "lost"}`
  | `transfer.${"offered" | "revoked" | "accepted" | "declined"}`
  | "publish.requested"
  | "publish.done"
  | "publish.failed"
  | "publish.withdrawn"
  | `comment.${"created" | "edited" | "resolved" | "reopened" | "deleted"}`
  | `review.${"requested" | "changes-requested" | "settings-changed"}`
  | `approval.${"given" | "withdrawn"}`
  | `review-link.${"created" | "revoked"}`
  | "snippet.mailed"
  | `scan.${"requested" | "done" | "failed" | "cancelled"}`
  | `import.${"requested" | "done" | "failed" | "cancelled"}`
  | `asset.${"created" | "deleted"}`
  | "consent.erased"
  | `link.${"created" | "revoked"}`
  | `erasure.${"requested" | "declined" | "proposed" | "rejected"}`
  | "erasure.due"
  | "erasure-rule.changed"
  | "notifications.changed"
  | "plan.limit-near"
  | `${"export" | "dossier"}.${"requested" | "done"}`
  | `webhook.${"created" | "updated" | "deleted" | "rotated" | "tested" | "retried" | "replayed" | "disabled"}`
  | `${"checkout" | "portal"}.opened`
  | "subscription.updated";

export interface NewEvent {
  name: EventName;
  projectId?: string | undefined;
  documentId?: string | undefined;
  /** Set if it differs from the organization that the document belongs to now. */
  organizationId?: string | undefined;
  /** Ids, versions and names only: never a secret, never a document's content. */
  data?: Record<string, unknown>;
}

/**
 * Records an event in the transaction of its write, for the audit trail and webhooks. Returns the event's id.
 */
export async function recordEvent(ctx: Ctx, event: NewEvent): Promise<number> {
  return insertEvent(ctx.tx, toEventRow(ctx, event));
}

/** The row of an event, without its id. */
export function toEventRow(
  ctx: Omit<Ctx, "tx">,
  event: NewEvent,
): Omit<Insertable<Tables["events"]>, "id"> {
  return {
    name: event.name,
    actor: toActorName(ctx.actor),
    project_id: event.projectId ?? null,
    document_id: event.documentId ?? null,
    organization_id: event.organizationId ?? null,
    request_id: ctx.requestId ?? null,
    data: JSON.stringify(event.data ?? {}),
    token_id: toTokenId(ctx.actor),
    network: ctx.network ?? null,
    created_at: ctx.now,
  };
}

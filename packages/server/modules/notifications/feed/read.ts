import type { Ctx } from "../../../kernel/ctx.ts";
import { type CursorPage, parseCursor, toCursorFault, toCursorPage } from "../../../kernel/page.ts";
import { isAllowed } from "../../../kernel/rights.ts";
import type { Db, Tx } from "../../../platform/db/db.ts";
import { listOwnRoles } from "../../vault/members/holders.ts";
import { findKind } from "../choices/kinds.ts";
import type { NotificationsApp } from "../choices/ports.ts";
import type { Described } from "./sentences.ts";
import { type NotificationRow, listNotificationRows, listSubjects, updateRead } from "./store.ts";

/** Unread notifications that the count reports. */
const UNREAD_MAX = 99;

type Reading = Pick<NotificationsApp, "db" | "counters">;

/**
 * The kinds and documents of a user's notifications that the user may still read. A user without a role on the document
 * reads nothing about it.
 */
export async function listReadable(db: Db | Tx, userId: string) {
  const subjects = await listSubjects(db, userId);
  const documentIds = [...new Set(subjects.map(({ documentId }) => documentId))];
  const held = await listOwnRoles(db, { userId, documentIds });
  return subjects.filter(({ kind, documentId }) => {
    const row = findKind(kind);
    const roles = held.get(documentId);
    if (!row || !roles) return false;
    // Users who are concerned or asked themselves need no right but a role.
    const needsRole = row.also !== undefined || row.asked !== undefined;
    return isAllowed(roles, needsRole ? "leave" : row.right);
  });
}

/** The number of a user's unread notifications, up to 99. */
export async function countUnread(db: Db | Tx, userId: string): Promise<number> {
  const subjects = await listReadable(db, userId);
  return Math.min(
    UNREAD_MAX,
    subjects.reduce((sum, { unread }) => sum + unread, 0),
  );
}

/** A page of a user's notifications, newest first. Throws `Fault` invalid for a cursor of another list. */
export async function listNotifications(
  { db, counters }: Reading,
  userId: string,
  { limit, cursor, isUnread }: { limit: number; cursor: string | undefined; isUnread: boolean },
): Promise<CursorPage<NotificationRow>> {
  const [text] = parseCursor(cursor, 1) ?? [];
  const before = text === undefined ? undefined : counters.events.parse(text);
  if (text !== undefined && before === undefined) throw toCursorFault();
  const readable = await listReadable(db, userId);
  const rows = await listNotificationRows(db, { userId, readable, isUnread, before }, limit + 1);
  return toCursorPage(rows, limit, {
    keyOf: (row) => [counters.events.toText(row.event_id)],
    toItem: (row) => row,
  });
}

/**
 * Marks a user's notifications as read: these, or all. Unknown ids are ignored. The audit trail has acts on documents, and
 * not what users have read.
 */
export async function markRead(
  { tx, now }: Pick<Ctx, "tx" | "now">,
  { counters }: Pick<Reading, "counters">,
  { userId, ids }: { userId: string; ids: readonly string[] | undefined },
): Promise<void> {
  const readable = await listReadable(tx, userId);
  const eventIds = ids?.flatMap((id) => counters.events.parse(id) ?? []);
  await updateRead(tx, { userId, readable, eventIds }, now);
}

export function toDescribed(row: NotificationRow): Described {
  return {
    kind: row.kind,
    documentId: row.document_id,
    data: row.data,
    actor: row.actor,
    actorName: row.actor_name ?? undefined,
    resource: row.resource ?? undefined,
    title: row.title ?? undefined,
  };
}

import { sql } from "kysely";
import type { Db, Tx } from "../../../platform/db/db.ts";

/** A notification that is about to be stored. */
export interface NewNotification {
  userId: string;
  eventId: number;
  kind: string;
  documentId: string;
  mail: "none" | "sent" | "digest";
  createdAt: Date;
}

/** A notification with its event, and with the names that its sentence has. */
export interface NotificationRow {
  user_id: string;
  event_id: number;
  kind: string;
  document_id: string;
  created_at: Date;
  read_at: Date | null;
  actor: string;
  /** Null for a part of the service, a deleted account and a user who left without having opened the document. */
  actor_name: string | null;
  data: Record<string, unknown>;
  organization_id: string | null;
  resource: string | null;
  title: string | null;
  /** The first language of a project. */
  locale: string | null;
}

/** Locks the position of the last event for the transaction; undefined while another node holds it. */
export async function lockHead(tx: Tx): Promise<number | undefined> {
  const { rows } = await sql<{ position: number }>`
    SELECT position FROM notification_head FOR UPDATE SKIP LOCKED`.execute(tx);
  return rows[0]?.position;
}

export async function updateHead(tx: Tx, position: number): Promise<void> {
  await sql`UPDATE notification_head SET position = ${position}`.execute(tx);
}

/** Inserts notifications; a user has one of an event. */
export async function insertNotifications(tx: Tx, all: readonly NewNotification[]): Promise<void> {
  if (all.length === 0) return;
  await sql`
    INSERT INTO notifications (user_id, event_id, kind, document_id, created_at, mail)
    SELECT g."userId", g."eventId", g."kind", g."documentId", g."createdAt", g."mail"
    FROM json_to_recordset(${JSON.stringify(all)}::json) AS g("userId" text, "eventId" bigint, "kind" text,
      "documentId" text, "createdAt" timestamptz, "mail" text)
    JOIN users u ON u.id = g."userId"
    ON CONFLICT DO NOTHING`.execute(tx);
}

/** The number of mails about single notifications since a time, by user. */
export async function countSent(
  tx: Tx,
  { userIds, since }: { userIds: readonly string[]; since: Date },
): Promise<Map<string, number>> {
  const { rows } = await sql<{ user_id: string; count: number }>`
    SELECT user_id, count(*)::int AS count FROM notifications
    WHERE user_id = ANY (${sql.val([...userIds])}::text[]) AND mail = 'sent' AND created_at > ${since}
    GROUP BY user_id`.execute(tx);
  return new Map(rows.map((row) => [row.user_id, row.count]));
}

interface NotificationFilter {
  userId: string;
  /** Pairs of a kind and a document that the user may read. */
  readable: readonly { kind: string; documentId: string }[];
  isUnread?: boolean | undefined;
  /** Only those that wait for the daily mail. */
  isForDigest?: boolean | undefined;
  /** Only events before this one. */
  before?: number | undefined;
  /** Only these events. */
  eventIds?: readonly number[] | undefined;
}

const matching = ({
  userId,
  readable,
  isUnread,
  isForDigest,
  before,
  eventIds,
}: NotificationFilter) => sql`
  n.user_id = ${userId}
  AND (n.kind, n.document_id) IN (
    SELECT g."kind", g."documentId" FROM json_to_recordset(${JSON.stringify(readable)}::json)
      AS g("kind" text, "documentId" text))
  AND (NOT ${isUnread === true} OR n.read_at IS NULL) AND (NOT ${isForDigest === true} OR n.mail = 'digest')
  AND (${before ?? null}::bigint IS NULL OR n.event_id < ${before ?? null})
  AND (${eventIds ? [...eventIds] : null}::bigint[] IS NULL OR n.event_id = ANY (${eventIds ? [...eventIds] : null}::bigint[]))`;

const rowsWithNames = sql`
  SELECT n.user_id, n.event_id, n.kind, n.document_id, n.created_at, n.read_at, e.actor, e.data, e.organization_id,
    u.display_name AS actor_name, d.resource, coalesce(d.body->>'title', d.body->>'name') AS title,
    d.body->'locales'->>0 AS locale
  FROM notifications n
  JOIN events e ON e.id = n.event_id
  LEFT JOIN documents d ON d.id = n.document_id
  LEFT JOIN users u ON u.id = coalesce(e.data->>'requestedBy', e.actor)
    AND NOT e.data @> '{"isOpened": false}'`;

/** Notifications of a user, newest first. */
export async function listNotificationRows(
  db: Db | Tx,
  filter: NotificationFilter,
  limit: number,
): Promise<NotificationRow[]> {
  const { rows } = await sql<NotificationRow>`
    ${rowsWithNames} WHERE ${matching(filter)}
    ORDER BY n.event_id DESC LIMIT ${limit}`.execute(db);
  return rows;
}

/** These notifications of any users, in the order of their events. */
export async function listNotificationsOf(
  tx: Tx,
  keys: readonly Pick<NewNotification, "userId" | "eventId">[],
): Promise<NotificationRow[]> {
  if (keys.length === 0) return [];
  const { rows } = await sql<NotificationRow>`
    ${rowsWithNames}
    JOIN json_to_recordset(${JSON.stringify(keys)}::json) AS g("userId" text, "eventId" bigint)
      ON n.user_id = g."userId" AND n.event_id = g."eventId"
    ORDER BY n.event_id, n.user_id`.execute(tx);
  return rows;
}

/** The kinds and documents of a user's notifications, with the number of unread ones. */
export async function listSubjects(
  db: Db | Tx,
  userId: string,
): Promise<{ kind: string; documentId: string; unread: number }[]> {
  const { rows } = await sql<{ kind: string; documentId: string; unread: number }>`
    SELECT kind, document_id AS "documentId", count(*) FILTER (WHERE read_at IS NULL)::int AS unread
    FROM notifications WHERE user_id = ${userId} GROUP BY kind, document_id`.execute(db);
  return rows;
}

/** Marks unread notifications of a user as read. */
export async function updateRead(tx: Tx, filter: NotificationFilter, now: Date): Promise<void> {
  await sql`
    UPDATE notifications n SET read_at = ${now}
    WHERE ${matching({ ...filter, isUnread: true })}`.execute(tx);
}

/** A user with notifications that wait for the daily mail. */
export interface DigestUserRow {
  user_id: string;
  /** Null for a user without choices. */
  time_zone: string | null;
  /** The day of the last daily mail, YYYY-MM-DD. */
  digest_on: string | null;
}

/** Up to `limit` users with notifications that wait for the daily mail, in the order of their ids. */
export async function listDigestUsers(
  db: Db,
  { after, limit }: { after: string; limit: number },
): Promise<DigestUserRow[]> {
  const { rows } = await sql<DigestUserRow>`
    SELECT n.user_id, s.time_zone, s.digest_on::text FROM (
      SELECT DISTINCT user_id FROM notifications
      WHERE mail = 'digest' AND user_id > ${after} ORDER BY user_id LIMIT ${limit}) n
    LEFT JOIN notification_settings s ON s.user_id = n.user_id ORDER BY n.user_id`.execute(db);
  return rows;
}

/** Deletes notifications from before a time, and beyond the newest `perUser` of a user. */
export async function deleteOldNotifications(
  db: Db,
  { before, perUser }: { before: Date; perUser: number },
): Promise<void> {
  await sql`DELETE FROM notifications WHERE created_at < ${before}`.execute(db);
  await sql`
    DELETE FROM notifications n USING (
      SELECT user_id, (array_agg(event_id ORDER BY event_id DESC))[${perUser}::int] AS oldest
      FROM notifications GROUP BY user_id HAVING count(*) > ${perUser}
    ) o WHERE n.user_id = o.user_id AND n.event_id < o.oldest`.execute(db);
}

/** Those of these documents about which an event of a name was recorded since a time. */
export async function listAnnounced(
  db: Db | Tx,
  { name, documentIds, since }: { name: string; documentIds: readonly string[]; since: Date },
): Promise<Set<string>> {
  if (documentIds.length === 0) return new Set();
  const { rows } = await sql<{ document_id: string }>`
    SELECT DISTINCT document_id FROM events
    WHERE document_id = ANY (${sql.val([...documentIds])}::text[]) AND created_at > ${since}
      AND name = ${name}`.execute(db);
  return new Set(rows.map((row) => row.document_id));
}

/** The publications, and the new services and cookies that scans found, of projects in a period. */
export async function countWeekEvents(
  db: Db,
  { projectIds, from, to }: { projectIds: readonly string[]; from: Date; to: Date },
): Promise<Map<string, { publications: number; news: number }>> {
  const { rows } = await sql<{ project_id: string; publications: number; news: number }>`
    SELECT project_id,
      count(*) FILTER (WHERE name = 'publish.done' AND data->>'environment' = 'production')::int AS publications,
      coalesce(sum((data->>'news')::int) FILTER (WHERE name = 'scan.done'), 0)::int AS news
    FROM events
    WHERE project_id = ANY (${sql.val([...projectIds])}::text[]) AND name IN ('publish.done', 'scan.done')
      AND created_at >= ${from} AND created_at < ${to}
    GROUP BY project_id`.execute(db);
  return new Map(rows.map((row) => [row.project_id, row]));
}

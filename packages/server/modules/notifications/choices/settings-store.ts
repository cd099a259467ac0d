import { sql } from "kysely";
import type { Db, Tx } from "../../../platform/db/db.ts";

/** The stored choices of a user. */
export interface SettingsRow {
  user_id: string;
  /** Null for a user who has chosen none. */
  language: string | null;
  time_zone: string;
  mails: Record<string, string>;
  muted: string[];
  weekly: string[];
  /** YYYY-MM-DD. */
  digest_on: string | null;
  weekly_on: string | null;
}

const columns = sql`user_id, language, time_zone, mails, muted, weekly, digest_on::text, weekly_on::text`;

export async function listSettingsRows(
  db: Db | Tx,
  userIds: readonly string[],
): Promise<Map<string, SettingsRow>> {
  const { rows } = await sql<SettingsRow>`
    SELECT ${columns} FROM notification_settings
    WHERE user_id = ANY (${sql.val([...userIds])}::text[])`.execute(db);
  return new Map(rows.map((row) => [row.user_id, row]));
}

/** Up to `limit` users with a weekly mail, in the order of their ids. */
export async function listWeeklyRows(
  db: Db,
  { after, limit }: { after: string; limit: number },
): Promise<SettingsRow[]> {
  const { rows } = await sql<SettingsRow>`
    SELECT ${columns} FROM notification_settings
    WHERE weekly <> '{}' AND user_id > ${after} ORDER BY user_id LIMIT ${limit}`.execute(db);
  return rows;
}

/** Replaces the choices of a user. A user who had no weekly mail gets none for the week before `monday`. */
export async function putSettings(
  tx: Tx,
  row: Omit<SettingsRow, "digest_on" | "weekly_on">,
  { now, monday }: { now: Date; monday: string },
): Promise<void> {
  const { user_id: userId, language, time_zone: timeZone, mails, muted, weekly } = row;
  await sql`
    INSERT INTO notification_settings AS s (user_id, language, time_zone, mails, muted, weekly, weekly_on, updated_at)
    VALUES (${userId}, ${language}, ${timeZone}, ${JSON.stringify(mails)}::jsonb, ${sql.val(muted)}::text[],
      ${sql.val(weekly)}::text[], ${monday}::date, ${now})
    ON CONFLICT (user_id) DO UPDATE SET language = excluded.language, time_zone = excluded.time_zone,
      mails = excluded.mails, muted = excluded.muted, weekly = excluded.weekly, updated_at = excluded.updated_at,
      weekly_on = CASE WHEN s.weekly = '{}' THEN greatest(s.weekly_on, excluded.weekly_on) ELSE s.weekly_on END`.execute(
    tx,
  );
}

/** Locks the row of a user, which is created without choices if there is none. */
export async function lockSettings(
  tx: Tx,
  { userId, now }: { userId: string; now: Date },
): Promise<SettingsRow | undefined> {
  await sql`
    INSERT INTO notification_settings (user_id, time_zone, mails, muted, weekly, updated_at)
    SELECT id, 'UTC', '{}', '{}', '{}', ${now} FROM users WHERE id = ${userId}
    ON CONFLICT DO NOTHING`.execute(tx);
  const { rows } = await sql<SettingsRow>`
    SELECT ${columns} FROM notification_settings WHERE user_id = ${userId} FOR UPDATE`.execute(tx);
  return rows[0];
}

/** Claims the daily or weekly mail of a day; false if it was sent. Concurrent claims wait for each other. */
export async function claimMail(
  tx: Tx,
  { userId, column, day }: { userId: string; column: "digest_on" | "weekly_on"; day: string },
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    UPDATE notification_settings SET ${sql.ref(column)} = ${day}::date
    WHERE user_id = ${userId} AND (${sql.ref(column)} IS NULL OR ${sql.ref(column)} < ${day}::date)`.execute(
    tx,
  );
  return numAffectedRows === 1n;
}

/** Takes a user's notifications out of the next daily mail. */
export async function endDigest(tx: Tx, userId: string): Promise<void> {
  await sql`
    UPDATE notifications SET mail = 'none' WHERE user_id = ${userId} AND mail = 'digest'`.execute(
    tx,
  );
}

/** The projects among these documents, and in the organizations among them; the first `max`. */
export async function listProjectIds(
  db: Db,
  { ids, max }: { ids: readonly string[]; max: number },
): Promise<{ id: string; title: string }[]> {
  const { rows } = await sql<{ id: string; title: string }>`
    SELECT id, coalesce(body->>'title', id) AS title FROM documents
    WHERE resource = 'projects' AND deleted_at IS NULL
      AND (id = ANY (${sql.val([...ids])}::text[]) OR organization_id = ANY (${sql.val([...ids])}::text[]))
    ORDER BY id LIMIT ${max}`.execute(db);
  return rows;
}

import type { Ctx } from "../../../kernel/ctx.ts";
import { recordEvent } from "../../../kernel/events/events.ts";
import type { Db, Tx } from "../../../platform/db/db.ts";
import { Fault } from "../../../platform/errors.ts";
import { type MailLanguage, mailLanguages } from "../../../platform/mail/languages.ts";
import { findTimeZone, timeZoneMessage } from "../../../platform/text/time-zone.ts";
import { listOwnRoles } from "../../vault/members/holders.ts";
import { type MailTime, findKind, kindNames, mailTimes } from "./kinds.ts";
import {
  type SettingsRow,
  endDigest,
  listSettingsRows,
  lockSettings,
  putSettings,
} from "./settings-store.ts";

/** Maximum of muted documents, and of those in the weekly mail. */
export const CHOICES_MAX = 100;

/** The time zone of users who have chosen none. */
export const DEFAULT_TIME_ZONE = "UTC";

/** A user's choices. */
export interface Settings {
  language: MailLanguage;
  /** IANA. */
  timeZone: string;
  /** By kind; an absent one has its default. */
  mails: Partial<Record<string, MailTime>>;
  /** Ids of projects and organizations. */
  muted: string[];
  weekly: string[];
}

export function toSettings(row: SettingsRow | undefined, language: MailLanguage): Settings {
  const own = mailLanguages.find((one) => one === row?.language);
  return {
    language: own ?? language,
    timeZone: row?.time_zone ?? DEFAULT_TIME_ZONE,
    mails: Object.fromEntries(kindNames.map((kind) => [kind, toMailTime(row, kind)])),
    muted: row?.muted ?? [],
    weekly: row?.weekly ?? [],
  };
}

/** When a mail of a kind is sent to a user. */
export function toMailTime(row: SettingsRow | undefined, kind: string): MailTime {
  const chosen = mailTimes.find((one) => one === row?.mails[kind]);
  return chosen ?? findKind(kind)?.mail ?? "off";
}

/** Whether a user is notified of nothing about a document, or about all of its organization. */
export function isMuted(
  row: SettingsRow | undefined,
  { documentId, organizationId }: { documentId: string; organizationId: string | null },
): boolean {
  const muted = row?.muted ?? [];
  return muted.includes(documentId) || muted.includes(organizationId ?? "");
}

export async function findSettings(
  db: Db,
  userId: string,
  language: MailLanguage,
): Promise<Settings> {
  return toSettings((await listSettingsRows(db, [userId])).get(userId), language);
}

/**
 * Replaces a user's choices, and returns them without documents that the user has lost since choosing them.
 * @throws Fault invalid for an unknown time zone, impossible for any other document on which the user has no role
 */
export async function changeSettings(
  ctx: Ctx,
  userId: string,
  settings: Settings,
): Promise<Settings> {
  const { tx, now } = ctx;
  const { language, mails } = settings;
  const timeZone = toTimeZone(settings.timeZone);
  const kept = await keepVisible(tx, userId, settings);
  const chosen = Object.entries(mails).flatMap(([kind, time]) =>
    time === undefined || findKind(kind)?.mail === time ? [] : [[kind, time] as const],
  );
  const row = {
    user_id: userId,
    language,
    time_zone: timeZone,
    mails: Object.fromEntries(chosen),
    ...kept,
  };
  await putSettings(tx, row, { now, monday: toMonday(now, timeZone) });
  await recordEvent(ctx, { name: "notifications.changed" });
  return { ...settings, ...kept, timeZone };
}

/** A part of a user's choices that a link in a mail ends: one kind, all daily mails, or the weekly mail. */
export type EndedMail = { kind: string } | "daily" | "weekly";

/** Ends mails of a user. Idempotent. */
export async function endMails(ctx: Ctx, userId: string, ended: EndedMail): Promise<void> {
  const { tx, now } = ctx;
  const row = await lockSettings(tx, { userId, now });
  if (!row) return;
  const isEnded = (kind: string): boolean =>
    typeof ended === "object"
      ? ended.kind === kind
      : ended === "daily" && toMailTime(row, kind) === "daily";
  const off = kindNames.filter(isEnded).map((kind) => [kind, "off"]);
  const mails = { ...row.mails, ...Object.fromEntries(off) };
  const weekly = ended === "weekly" ? [] : row.weekly;
  await putSettings(tx, { ...row, mails, weekly }, { now, monday: toMonday(now, row.time_zone) });
  if (ended === "daily") await endDigest(tx, userId);
  await recordEvent(ctx, { name: "notifications.changed" });
}

function toTimeZone(text: string): string {
  const timeZone = findTimeZone(text);
  if (timeZone !== undefined) return timeZone;
  const path = "/timeZone";
  throw new Fault("invalid", `${path}: ${timeZoneMessage}`, {
    faults: [{ path, message: timeZoneMessage }],
  });
}

/** The chosen documents on which the user has a role. Lost ones that were chosen before are dropped. */
async function keepVisible(
  tx: Tx,
  userId: string,
  chosen: Pick<Settings, "muted" | "weekly">,
): Promise<Pick<Settings, "muted" | "weekly">> {
  const documentIds = [...new Set([...chosen.muted, ...chosen.weekly])];
  const held = await listOwnRoles(tx, { userId, documentIds });
  const stored = (await listSettingsRows(tx, [userId])).get(userId);
  const before = new Set([...(stored?.muted ?? []), ...(stored?.weekly ?? [])]);
  const faults = (["muted", "weekly"] as const).flatMap((field) =>
    chosen[field].flatMap((id, at) =>
      held.has(id) || before.has(id)
        ? []
        : { path: `/${field}/${at}`, message: "is not a project or organization of yours" },
    ),
  );
  if (faults.length > 0) throw new Fault("impossible", "Some ids are not yours.", { faults });
  const keep = (ids: readonly string[]) => ids.filter((id) => held.has(id));
  return { muted: keep(chosen.muted), weekly: keep(chosen.weekly) };
}

/** The Monday of the week of an instant in a time zone, as YYYY-MM-DD. */
function toMonday(now: Date, timeZone: string): string {
  const day = toLocal(now, timeZone).toPlainDate();
  return day.subtract({ days: day.dayOfWeek - 1 }).toString();
}

export function toLocal(now: Date, timeZone: string): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO(timeZone);
}

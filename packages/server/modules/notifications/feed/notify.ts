import {
  type NumberedTrailRow,
  listNumberedEvents,
} from "../../../kernel/events/numbered-store.ts";
import { listUsersById } from "../../../kernel/users-store.ts";
import type { Tx } from "../../../platform/db/db.ts";
import { inTransaction } from "../../../platform/db/transaction.ts";
import { mailLanguages } from "../../../platform/mail/languages.ts";
import { toPlainName } from "../../../platform/text/plain-name.ts";
import { listHolders } from "../../vault/members/holders.ts";
import { type KindName, findKindOf } from "../choices/kinds.ts";
import { recordLimits } from "./limits.ts";
import type { NotificationsApp } from "../choices/ports.ts";
import { type Described, toScreen, toSentence } from "./sentences.ts";
import { type SettingsRow, listSettingsRows } from "../choices/settings-store.ts";
import { toMailTime, toSettings } from "../choices/settings.ts";
import {
  type NewNotification,
  countSent,
  insertNotifications,
  listNames,
  lockHead,
  updateHead,
} from "./store.ts";
import { toUnsubscribeUrl } from "../choices/unsubscribe.ts";

/** Batch size of events. */
const EVENTS_MAX = 100;
/** Mails about single notifications in 24 hours; the rest waits for the daily mail. */
const MAILS_MAX = 20;
const DAY_MS = 86_400_000;

type Notifying = Pick<NotificationsApp, "db" | "now" | "plans" | "outbox" | "publicUrl" | "sealer">;

/** An event of a kind, with the users to notify. */
interface Announcement {
  event: NumberedTrailRow;
  kind: KindName;
  documentId: string;
  userIds: string[];
}

/**
 * Makes the notifications of the next events of the audit trail, and their mails, in one transaction with the position
 * after them: exactly once. Returns whether there may be more; undefined while another node does it.
 */
export async function notifyNext(app: Notifying): Promise<boolean | undefined> {
  return inTransaction(app.db, async (tx) => {
    const after = await lockHead(tx);
    if (after === undefined) return undefined;
    const events = await listNumberedEvents(tx, { after, limit: EVENTS_MAX });
    const last = events.at(-1);
    if (!last) return false;
    await notifyOf(tx, app, await listAnnouncements(tx, events));
    await recordLimits(tx, app, events);
    await updateHead(tx, last.position);
    return events.length === EVENTS_MAX;
  });
}

async function listAnnouncements(
  tx: Tx,
  events: readonly NumberedTrailRow[],
): Promise<Announcement[]> {
  const found = events.flatMap((event) => {
    const kind = findKindOf(event);
    const documentId = event.project_id ?? event.document_id;
    return kind && documentId !== null ? [{ event, ...kind, documentId }] : [];
  });
  const announcements: Announcement[] = [];
  for (const { event, name, row, documentId } of found) {
    const holders = await listHolders(tx, [documentId], row.right);
    const userIds = new Set(holders.get(documentId));
    const concerned = row.also === undefined ? undefined : event.data[row.also];
    // A user who lost the last role has left.
    if (typeof concerned === "string" && (await hasRole(tx, documentId, concerned)))
      userIds.add(concerned);
    for (const author of [event.actor, toRequester(event)]) userIds.delete(author);
    if (userIds.size > 0)
      announcements.push({ event, kind: name, documentId, userIds: [...userIds] });
  }
  return announcements;
}

async function hasRole(tx: Tx, documentId: string, userId: string): Promise<boolean> {
  return (await listHolders(tx, [documentId], "leave")).get(documentId)?.has(userId) === true;
}

/** The requester of a publication is its author, and is notified only if it failed. */
function toRequester({ name, data }: NumberedTrailRow): string {
  return name === "publish.done" ? String(data["requestedBy"]) : "";
}

async function notifyOf(
  tx: Tx,
  app: Notifying,
  announcements: readonly Announcement[],
): Promise<void> {
  if (announcements.length === 0) return;
  const userIds = [...new Set(announcements.flatMap((one) => one.userIds))];
  const settings = await listSettingsRows(tx, userIds);
  const since = new Date(app.now().getTime() - DAY_MS);
  const sent = await countSent(tx, { userIds, since });
  const made: NewNotification[] = [];
  const mailed: { announcement: Announcement; userId: string }[] = [];
  for (const announcement of announcements)
    for (const userId of announcement.userIds) {
      const own = settings.get(userId);
      if (isMuted(own, announcement)) continue;
      const count = sent.get(userId) ?? 0;
      const mail = toMail(toMailTime(own, announcement.kind), count);
      if (mail === "sent") {
        sent.set(userId, count + 1);
        mailed.push({ announcement, userId });
      }
      const { event, kind, documentId } = announcement;
      made.push({ userId, eventId: event.id, kind, documentId, mail, createdAt: event.created_at });
    }
  await insertNotifications(tx, made);
  await sendMails(tx, app, { mailed, settings });
}

function isMuted(settings: SettingsRow | undefined, { event, documentId }: Announcement): boolean {
  const muted = settings?.muted ?? [];
  return muted.includes(documentId) || muted.includes(event.organization_id ?? "");
}

function toMail(time: ReturnType<typeof toMailTime>, count: number): NewNotification["mail"] {
  if (time === "off") return "none";
  return time === "daily" || count >= MAILS_MAX ? "digest" : "sent";
}

async function sendMails(
  tx: Tx,
  app: Notifying,
  {
    mailed,
    settings,
  }: {
    mailed: readonly { announcement: Announcement; userId: string }[];
    settings: ReadonlyMap<string, SettingsRow>;
  },
): Promise<void> {
  if (mailed.length === 0) return;
  const documentIds = mailed.map(({ announcement }) => announcement.documentId);
  const actors = mailed.map(({ announcement }) => announcement.event.actor);
  const names = await listNames(tx, { documentIds, userIds: actors });
  const ids = [...new Set(mailed.map(({ userId }) => userId))];
  const users = new Map((await listUsersById(tx, ids)).map((user) => [user.id, user]));
  for (const { announcement, userId } of mailed) {
    const { language } = toSettings(settings.get(userId), mailLanguages[0]);
    const described = describe(announcement, names);
    const letter = {
      kind: "notifications",
      isDigest: false,
      lines: [toSentence(described, language, toPlainName)],
      more: 0,
      url: toScreen(app.publicUrl, described),
      unsubscribeUrl: toUnsubscribeUrl(app, { userId, ended: { kind: announcement.kind } }),
    } as const;
    const to = users.get(userId)?.email ?? null;
    await app.outbox.postLetter(tx, app.now(), { to, language, letter });
  }
}

function describe(
  { event, kind, documentId }: Announcement,
  { documents, users }: Awaited<ReturnType<typeof listNames>>,
): Described {
  const document = documents.get(documentId);
  const isHidden = event.data["isOpened"] === false;
  return {
    kind,
    documentId,
    data: event.data,
    actor: event.actor,
    actorName: isHidden ? undefined : users.get(event.actor),
    resource: document?.resource,
    title: document?.title ?? undefined,
  };
}

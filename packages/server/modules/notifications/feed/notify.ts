import {
  type NumberedTrailRow,
  listNumberedEvents,
} from "../../../kernel/events/numbered-store.ts";
import { listUsersById } from "../../../kernel/users-store.ts";
import type { Tx } from "../../../platform/db/db.ts";
import { inTransaction } from "../../../platform/db/transaction.ts";
import { toMailLanguage } from "../../../platform/mail/languages.ts";
import { toPlainName } from "../../../platform/text/plain-name.ts";
import { isAllowed } from "../../../kernel/rights.ts";
import { type Member, listMembers } from "../../vault/members/holders.ts";
import { type KindName, type KindRow, findKindOf } from "../choices/kinds.ts";
import { recordLimits } from "./limits.ts";
import type { NotificationsApp } from "../choices/ports.ts";
import { toDescribed } from "./read.ts";
import { toScreen, toSentence } from "./sentences.ts";
import { type SettingsRow, listSettingsRows } from "../choices/settings-store.ts";
import { isMuted, toMailTime, toSettings } from "../choices/settings.ts";
import {
  type NewNotification,
  countSent,
  insertNotifications,
  listNotificationsOf,
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
  members: readonly Member[];
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
  const documentIds = [...new Set(found.map(({ documentId }) => documentId))];
  const membersOf = await listMembers(tx, documentIds);
  return found.map(({ event, name, row, documentId }) => {
    const authors = new Set([event.actor, toRequester(event)]);
    // A user who lost the last role has left.
    const members = (membersOf.get(documentId) ?? []).filter(
      (member) => !authors.has(member.userId) && isConcerned(member, row, event.data),
    );
    return { event, kind: name, documentId, members };
  });
}

function isConcerned(
  { userId, roles }: Member,
  { right, also, asked }: KindRow,
  data: Record<string, unknown>,
): boolean {
  const named = asked === undefined ? undefined : data[asked];
  if (Array.isArray(named) && named.length > 0) return named.includes(userId);
  return isAllowed(roles, right) || (also !== undefined && data[also] === userId);
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
  const userIds = [
    ...new Set(announcements.flatMap(({ members }) => members.map(({ userId }) => userId))),
  ];
  if (userIds.length === 0) return;
  const settings = await listSettingsRows(tx, userIds);
  const since = new Date(app.now().getTime() - DAY_MS);
  const sent = await countSent(tx, { userIds, since });
  const made: NewNotification[] = [];
  for (const { event, kind, documentId, members } of announcements)
    for (const { userId, isDisclosed } of members) {
      const own = settings.get(userId);
      if (isMuted(own, { documentId, organizationId: event.organization_id })) continue;
      const count = sent.get(userId) ?? 0;
      // Nobody asked users who were added by id: they get no mail before they open the document.
      const mail = isDisclosed ? toMail(toMailTime(own, kind), count) : "none";
      if (mail === "sent") sent.set(userId, count + 1);
      made.push({ userId, eventId: event.id, kind, documentId, mail, createdAt: event.created_at });
    }
  await insertNotifications(tx, made);
  await sendMails(tx, app, { mailed: made.filter(({ mail }) => mail === "sent"), settings });
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
  }: { mailed: readonly NewNotification[]; settings: ReadonlyMap<string, SettingsRow> },
): Promise<void> {
  if (mailed.length === 0) return;
  const ids = [...new Set(mailed.map(({ userId }) => userId))];
  const users = new Map((await listUsersById(tx, ids)).map((user) => [user.id, user]));
  for (const row of await listNotificationsOf(tx, mailed)) {
    const { user_id: userId, kind, document_id: about } = row;
    const { language } = toSettings(settings.get(userId), toMailLanguage(row.locale));
    const described = toDescribed(row);
    const letter = {
      kind: "notifications",
      isDigest: false,
      lines: [toSentence(described, language, toPlainName)],
      more: 0,
      url: toScreen(app.publicUrl, described),
      unsubscribeUrl: toUnsubscribeUrl(app, { userId, ended: { kind } }),
    } as const;
    const to = users.get(userId)?.email ?? null;
    await app.outbox.postLetter(tx, app.now(), { to, language, letter, about });
  }
}

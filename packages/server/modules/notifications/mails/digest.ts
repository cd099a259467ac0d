import { paths } from "@avow/contract/urls";
import { listUsersById } from "../../../kernel/users-store.ts";
import type { Tx } from "../../../platform/db/db.ts";
import { inTransaction } from "../../../platform/db/transaction.ts";
import { toMailLanguage } from "../../../platform/mail/languages.ts";
import { toPlainName } from "../../../platform/text/plain-name.ts";
import type { NotificationsApp } from "../choices/ports.ts";
import { listReadable, toDescribed } from "../feed/read.ts";
import { toSentence } from "../feed/sentences.ts";
import { claimMail, endDigest, lockSettings } from "../choices/settings-store.ts";
import {
  DEFAULT_TIME_ZONE,
  isMuted,
  toLocal,
  toMailTime,
  toSettings,
} from "../choices/settings.ts";
import { type DigestUserRow, listDigestUsers, listNotificationRows } from "../feed/store.ts";
import { toUnsubscribeUrl } from "../choices/unsubscribe.ts";
import { sendToUsers } from "./run.ts";

/** The hour from which the daily mail is sent, in the user's time zone. */
const HOUR = 8;
/** Notifications in a mail; the number of the others follows them. */
const LINES_MAX = 50;
/** More than a user has. */
const ROWS_MAX = 1_000;

type Digesting = Pick<NotificationsApp, "db" | "now" | "log" | "outbox" | "publicUrl" | "sealer">;

/** Sends the daily mails that are due. Concurrent runs send each once. */
export async function sendDigests(app: Digesting): Promise<void> {
  await sendToUsers(
    app,
    (page) => listDigestUsers(app.db, page),
    async (user) => {
      const day = findDueDay(user, app.now());
      if (day === undefined) return;
      await inTransaction(app.db, (tx) => sendDigest(tx, app, { userId: user.user_id, day }));
    },
  );
}

/** The day of the user's time zone, YYYY-MM-DD, if its mail is due. */
function findDueDay(
  { time_zone: timeZone, digest_on: sentOn }: DigestUserRow,
  now: Date,
): string | undefined {
  const local = toLocal(now, timeZone ?? DEFAULT_TIME_ZONE);
  const day = local.toPlainDate().toString();
  return local.hour < HOUR || (sentOn !== null && sentOn >= day) ? undefined : day;
}

async function sendDigest(
  tx: Tx,
  app: Digesting,
  { userId, day }: { userId: string; day: string },
): Promise<void> {
  const now = app.now();
  const settings = await lockSettings(tx, { userId, now });
  if (!settings || !(await claimMail(tx, { userId, column: "digest_on", day }))) return;
  // The user may have lost the right to some of them since.
  const readable = await listReadable(tx, userId);
  const waiting = await listNotificationRows(tx, { userId, readable, isForDigest: true }, ROWS_MAX);
  await endDigest(tx, userId);
  // The user may have muted or ended some of them since.
  const rows = waiting.filter(
    ({ kind, document_id: documentId, organization_id: organizationId }) =>
      toMailTime(settings, kind) !== "off" && !isMuted(settings, { documentId, organizationId }),
  );
  if (rows.length === 0) return;
  const locale = rows.find((row) => row.locale !== null)?.locale;
  const { language } = toSettings(settings, toMailLanguage(locale));
  const letter = {
    kind: "notifications",
    isDigest: true,
    lines: rows
      .slice(0, LINES_MAX)
      .map((one) => toSentence(toDescribed(one), language, toPlainName)),
    more: Math.max(0, rows.length - LINES_MAX),
    url: `${app.publicUrl}${paths.admin}/notifications`,
    unsubscribeUrl: toUnsubscribeUrl(app, { userId, ended: "daily" }),
  } as const;
  const [user] = await listUsersById(tx, [userId]);
  await app.outbox.postLetter(tx, now, { to: user?.email ?? null, language, letter });
}

import { paths } from "@avow/contract/urls";
import { listUsersById } from "../../../kernel/users-store.ts";
import type { Tx } from "../../../platform/db/db.ts";
import { inTransaction } from "../../../platform/db/transaction.ts";
import { mailLanguages } from "../../../platform/mail/languages.ts";
import { toPlainName } from "../../../platform/text/plain-name.ts";
import type { NotificationsApp } from "../choices/ports.ts";
import { listReadable, toDescribed } from "../feed/read.ts";
import { toSentence } from "../feed/sentences.ts";
import { claimMail, lockSettings } from "../choices/settings-store.ts";
import { toLocal, toSettings } from "../choices/settings.ts";
import { endDigest, listDigestUsers, listNotificationRows } from "../feed/store.ts";
import { toUnsubscribeUrl } from "../choices/unsubscribe.ts";

/** The hour from which the daily mail is sent, in the user's time zone. */
const HOUR = 8;
const USERS_PER_PAGE = 200;
/** Notifications in a mail; the number of the others follows them. */
const LINES_MAX = 50;
/** More than a user has. */
const ROWS_MAX = 1_000;

type Digesting = Pick<NotificationsApp, "db" | "now" | "outbox" | "publicUrl" | "sealer">;

/** Sends the daily mails that are due. Concurrent runs send each once. */
export async function sendDigests(app: Digesting): Promise<void> {
  for (let after = ""; ;) {
    const userIds = await listDigestUsers(app.db, { after, limit: USERS_PER_PAGE });
    for (const userId of userIds) await inTransaction(app.db, (tx) => sendDigest(tx, app, userId));
    const last = userIds.at(-1);
    if (userIds.length < USERS_PER_PAGE || last === undefined) return;
    after = last;
  }
}

async function sendDigest(tx: Tx, app: Digesting, userId: string): Promise<void> {
  const now = app.now();
  const row = await lockSettings(tx, { userId, language: mailLanguages[0], now });
  if (!row) return;
  const { language, timeZone } = toSettings(row, mailLanguages[0]);
  const local = toLocal(now, timeZone);
  const day = local.toPlainDate().toString();
  if (local.hour < HOUR || !(await claimMail(tx, { userId, column: "digest_on", day }))) return;
  // The user may have lost the right to some of them since.
  const readable = await listReadable(tx, userId);
  const filter = { userId, readable, isForDigest: true };
  const rows = await listNotificationRows(tx, filter, ROWS_MAX);
  await endDigest(tx, userId);
  if (rows.length === 0) return;
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

import { paths } from "@avow/contract/urls";
import { listUsersById } from "../../../kernel/users-store.ts";
import { inTransaction } from "../../../platform/db/transaction.ts";
import { mailLanguages } from "../../../platform/mail/languages.ts";
import { isAllowed } from "../../../kernel/rights.ts";
import { type Counts, addCounts, noCounts } from "../../consents/stats/counts.ts";
import { getStats } from "../../consents/stats/stats.ts";
import { listAnswerTotals } from "../../consents/stats/sites.ts";
import { listOwnRoles } from "../../vault/members/holders.ts";
import type { NotificationsApp, WeekCounts, WeekOfProject } from "../choices/ports.ts";
import {
  type SettingsRow,
  claimMail,
  listProjectIds,
  listWeeklyRows,
} from "../choices/settings-store.ts";
import { toLocal, toSettings } from "../choices/settings.ts";
import { countWeekEvents } from "../feed/store.ts";
import { toUnsubscribeUrl } from "../choices/unsubscribe.ts";
import { sendToUsers } from "./run.ts";

/** The hour of Monday from which the weekly mail is sent, in the user's time zone. */
const HOUR = 7;
/** Projects that are looked at; of these, those with the most answers are in the mail. */
const PROJECTS_MAX = 1_000;
const PROJECTS_SHOWN = 50;

type Weekly = Omit<NotificationsApp, "jobs" | "plans" | "counters">;

/** Sends the weekly mails that are due. Concurrent runs send each once. */
export async function sendWeeklyMails(app: Weekly): Promise<void> {
  await sendToUsers(
    app,
    (page) => listWeeklyRows(app.db, page),
    (row) => sendWeekly(app, row),
  );
}

/** The Monday whose mail is due: of this week from its hour on, otherwise of the week before. */
function toDueMonday(now: Date, timeZone: string): Temporal.PlainDate {
  const local = toLocal(now, timeZone);
  const day = local.toPlainDate();
  const monday = day.subtract({ days: day.dayOfWeek - 1 });
  const isEarly = day.equals(monday) && local.hour < HOUR;
  return isEarly ? monday.subtract({ days: 7 }) : monday;
}

async function sendWeekly(app: Weekly, row: SettingsRow): Promise<void> {
  const now = app.now();
  const { user_id: userId } = row;
  const { language, timeZone } = toSettings(row, mailLanguages[0]);
  const monday = toDueMonday(now, timeZone);
  if (row.weekly_on !== null && row.weekly_on >= monday.toString()) return;
  const { projects, more } = await readProjects(app, row, monday);
  const toText = (day: Temporal.PlainDate): string =>
    day.toLocaleString(language, { dateStyle: "long" });
  const letter = {
    kind: "weekly",
    from: toText(monday.subtract({ days: 7 })),
    to: toText(monday.subtract({ days: 1 })),
    timeZone,
    projects,
    more,
    url: projects[0]?.url ?? `${app.publicUrl}${paths.admin}/projects`,
    unsubscribeUrl: toUnsubscribeUrl(app, { userId, ended: "weekly" }),
  } as const;
  await inTransaction(app.db, async (tx) => {
    const day = monday.toString();
    if (!(await claimMail(tx, { userId, column: "weekly_on", day }))) return;
    const [user] = await listUsersById(tx, [userId]);
    if (projects.length === 0 || !user) return;
    await app.outbox.postLetter(tx, now, { to: user.email, language, letter });
  });
}

/** The week before a Monday of the projects that the user chose and may still see, those with the most answers first. */
async function readProjects(
  app: Weekly,
  row: SettingsRow,
  monday: Temporal.PlainDate,
): Promise<{ projects: WeekOfProject[]; more: number }> {
  const { user_id: userId, weekly: ids, time_zone: timeZone } = row;
  const found = await listProjectIds(app.db, { ids, max: PROJECTS_MAX });
  const documentIds = found.map(({ id }) => id);
  const held = await listOwnRoles(app.db, { userId, documentIds });
  const visible = found.filter(({ id }) => isAllowed(held.get(id) ?? [], "readConsents"));
  const from = new Date(monday.subtract({ days: 7 }).toZonedDateTime(timeZone).epochMilliseconds);
  const to = new Date(monday.toZonedDateTime(timeZone).epochMilliseconds);
  const projectIds = visible.map(({ id }) => id);
  const totals = await listAnswerTotals(app, { projectIds, from, to });
  const sorted = visible.toSorted((a, b) => (totals.get(b.id) ?? 0) - (totals.get(a.id) ?? 0));
  const shown = sorted.slice(0, PROJECTS_SHOWN);
  const events = await countWeekEvents(app.db, { projectIds: shown.map(({ id }) => id), from, to });
  const projects: WeekOfProject[] = [];
  for (const { id, title } of shown) {
    const days = await readDays(app, { projectId: id, monday, timeZone });
    const { publications = 0, news = 0 } = events.get(id) ?? {};
    const url = `${app.publicUrl}${paths.admin}/projects/${id}/statistics`;
    projects.push({ title, url, ...days, publications, news });
  }
  return { projects, more: sorted.length - shown.length };
}

/** The seven days before a Monday, their sum, and that of the seven days before them. */
async function readDays(
  app: Weekly,
  {
    projectId,
    monday,
    timeZone: tz,
  }: { projectId: string; monday: Temporal.PlainDate; timeZone: string },
): Promise<Pick<WeekOfProject, "days" | "week" | "before">> {
  const from = monday.subtract({ days: 14 }).toString();
  const to = monday.subtract({ days: 1 }).toString();
  const query = { projectId, from, to, by: "day", tz } as const;
  const { series, starts } = await getStats(app, { kind: "system" }, query);
  const counts = series[0]?.counts ?? [];
  const days = counts.slice(-7).map((one, at) => ({
    ...toWeekCounts(one),
    day: toLocal(starts.slice(-7)[at] ?? new Date(0), tz)
      .toPlainDate()
      .toString(),
  }));
  return { days, week: sum(counts.slice(-7)), before: sum(counts.slice(0, -7)) };
}

function sum(counts: readonly Counts[]): WeekCounts {
  return toWeekCounts(counts.reduce(addCounts, noCounts));
}

function toWeekCounts({ shown, accepted, partly, refused }: Counts): WeekCounts {
  return { shown, answered: accepted + partly + refused, accepted, refused };
}

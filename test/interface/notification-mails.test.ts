import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { describe, it } from "node:test";
import { sql } from "kysely";
import { openSealer } from "../../packages/server/platform/crypto/sealing.ts";
import { findLogSize } from "../../packages/server/modules/evidence/log/placed.ts";
import { sendDigests } from "../../packages/server/modules/notifications/mails/digest.ts";
import { recordDue } from "../../packages/server/modules/notifications/feed/due.ts";
import { notifyNext } from "../../packages/server/modules/notifications/feed/notify.ts";
import type { NotificationMail } from "../../packages/server/modules/notifications/choices/ports.ts";
import { unsubscribe } from "../../packages/server/modules/notifications/choices/unsubscribe.ts";
import { deleteOldNotifications } from "../../packages/server/modules/notifications/feed/store.ts";
import { sendWeeklyMails } from "../../packages/server/modules/notifications/mails/weekly.ts";
import { toMailContent } from "../../packages/server/modules/auth/mails/letter.ts";
import { toPlans } from "../../packages/server/modules/billing/plans.ts";
import { inTransaction } from "../../packages/server/platform/db/transaction.ts";
import { intervals, service } from "../harness.ts";
import { choose, shareOpened, waitForNotifications, waitUntilNotified } from "./notified.ts";
import { newLink, post } from "./persons.ts";
import { collect, create, newSite, publish, share } from "./site.ts";

const DAY_MS = 86_400_000;

/** The module's dependencies on a clock of its own, with the mails to one address. */
function newApp(now: Date, to: string) {
  const mails: NotificationMail[] = [];
  const errors: unknown[] = [];
  const { db, buckets, config } = service;
  const app = {
    db,
    buckets,
    intervals,
    log: { warn: () => undefined, error: (fields: unknown) => void errors.push(fields) },
    findLogSize,
    now: () => now,
    plans: toPlans(config),
    publicUrl: config.http.publicUrl,
    sealer: openSealer(randomBytes(32), "test"),
    outbox: {
      postLetter: async (_tx: unknown, _now: Date, mail: NotificationMail) => {
        if (mail.to === to) mails.push(mail);
      },
    },
  };
  return { app, mails, errors };
}

const readEmail = async (token: string): Promise<string> =>
  (await service.fetch("/v1/auth/me", { token })).body.email;

/** The next instant of a weekday (Monday: 1) and hour in UTC. */
function nextAt(weekday: number, hour: number): Date {
  const next = new Date(service.clock.now());
  next.setUTCHours(hour, 0, 0, 0);
  do next.setUTCDate(next.getUTCDate() + 1);
  while (next.getUTCDay() !== weekday);
  return next;
}

const after = (date: Date, days: number) => new Date(date.getTime() + days * DAY_MS);

/** Puts the notifications of a user into the next daily mail, as after 20 mails in 24 hours. */
const wait = (userId: string) =>
  sql`UPDATE notifications SET mail = 'digest' WHERE user_id = ${userId}`.execute(service.db);

/** An owner of a site without choices, of whose notifications one waits for the daily mail. */
async function newWaiting() {
  const site = await newSite();
  const second = await shareOpened(site, "owner");
  const { id, email } = (await service.fetch("/v1/auth/me", { token: second })).body;
  const rule = { method: "PUT", token: site.token, json: { needsSecondPerson: true } };
  assert.equal((await service.fetch(`/v1/client/${site.id}/erasure-rule`, rule)).status, 200);
  await waitForNotifications(second, "erasure-rule-changed");
  await wait(id);
  return { site, second, id: id as string, email: email as string };
}

const toText = ({ letter, language }: NotificationMail) =>
  toMailContent(letter, { language, publicUrl: service.config.http.publicUrl });

describe("the daily mail", () => {
  it("has the notifications of the day, once, also when two nodes send it", async () => {
    const site = await newSite();
    const second = await shareOpened(site, "owner");
    await waitUntilNotified();
    await choose(second, { language: "fr", mails: { "member-changed": "daily" } });
    for (const role of ["viewer", "editor"]) await share(site, role);
    await waitForNotifications(second, "member-changed", 3);
    const { app, mails } = newApp(nextAt(2, 9), await readEmail(second));
    await Promise.all([sendDigests(app), sendDigests(app), sendDigests(app)]);
    assert.equal(mails.length, 1);
    const [mail] = mails as [NotificationMail];
    const { subject, text } = toText(mail);
    assert.equal(subject, "Vos notifications du jour");
    assert.equal(text.match(/a modifié l’équipe de « Shop »/g)?.length, 2);
    assert.match(text, /Ne plus recevoir l’e-mail quotidien\s:\n.*\/account\/unsubscribe\?token=/);
    await sendDigests(app);
    assert.equal(mails.length, 1, "nothing is left");
  });

  it("waits for eight o'clock in the user's time zone, and leaves out lost projects", async () => {
    const site = await newSite();
    const second = await shareOpened(site, "owner");
    await choose(second, { timeZone: "Asia/Tokyo", mails: { "member-changed": "daily" } });
    await share(site, "viewer");
    await waitForNotifications(second, "member-changed", 2);
    const email = await readEmail(second);
    const early = newApp(new Date(nextAt(3, 22).getTime() + 3_540_000), email);
    await sendDigests(early.app);
    assert.equal(early.mails.length, 0, "7:59 in Tokyo");
    const { id } = (await service.fetch("/v1/auth/me", { token: second })).body;
    const at = `/v1/vault/projects/${site.id}/users/${id}`;
    await service.fetch(at, { method: "DELETE", token: site.token });
    const due = newApp(new Date(nextAt(3, 23).getTime() + 60_000), email);
    await sendDigests(due.app);
    assert.equal(due.mails.length, 0, "a removed member");
  });

  it("leaves out notifications that were muted or ended in the meantime", async () => {
    const site = await newSite();
    const second = await shareOpened(site, "owner");
    const email = await readEmail(second);
    await waitUntilNotified();
    const daily = { "member-changed": "daily" };
    const changes = [{ mails: daily, muted: [site.id] }, { mails: { "member-changed": "off" } }];
    for (const [days, change] of changes.entries()) {
      await choose(second, { mails: daily });
      await share(site, "viewer");
      await waitUntilNotified();
      await choose(second, change);
      const { app, mails } = newApp(after(nextAt(2, 9), days), email);
      await sendDigests(app);
      assert.equal(mails.length, 0, JSON.stringify(change));
    }
  });

  it("is ended by its link, with the notifications that wait for it", async () => {
    const { second, id, email } = await newWaiting();
    const { app, mails } = newApp(nextAt(2, 9), email);
    await sendDigests(app);
    const [{ letter }] = mails as [NotificationMail];
    await wait(id);
    const token = new URL(letter.unsubscribeUrl).searchParams.get("token") ?? "";
    await inTransaction(service.db, (tx) =>
      unsubscribe({ tx, now: service.clock.now(), requestId: undefined }, app, token),
    );
    const next = newApp(after(nextAt(2, 9), 1), email);
    await sendDigests(next.app);
    assert.equal(next.mails.length, 0);
    assert.ok((await waitForNotifications(second, "member-changed")).length > 0);
  });

  it("has the language of the project for a user without choices, who still has none after it", async () => {
    const { site, id, email } = await newWaiting();
    const french = { method: "PATCH", token: site.token, json: { locales: ["fr", "en"] } };
    assert.equal((await service.fetch(`/v1/vault/projects/${site.id}`, french)).status, 200);
    const countRows = async () =>
      (await sql`SELECT FROM notification_settings WHERE user_id = ${id}`.execute(service.db)).rows
        .length;
    const early = newApp(nextAt(2, 7), email);
    await sendDigests(early.app);
    assert.deepEqual([early.mails.length, await countRows()], [0, 0]);
    for (const days of [0, 1]) {
      const { app, mails } = newApp(after(nextAt(2, 9), days), email);
      await sendDigests(app);
      assert.deepEqual(
        mails.map(({ language }) => language),
        ["fr"],
      );
      await wait(id);
    }
  });

  it("is sent to the others if one fails, and to that one by the next run", async () => {
    const users = [await newWaiting(), await newWaiting(), await newWaiting()];
    const failing = users.map(({ id }) => id).toSorted()[0];
    const unlucky = users.find(({ id }) => id === failing)?.email;
    const sent: string[] = [];
    const { app, errors } = newApp(nextAt(2, 9), "");
    const outbox = {
      postLetter: async (_tx: unknown, _now: Date, { to }: NotificationMail) => {
        if (to === unlucky && errors.length === 0) throw new Error("no mail");
        if (users.some(({ email }) => email === to)) sent.push(to ?? "");
      },
    };
    await sendDigests({ ...app, outbox });
    assert.equal(errors.length, 1);
    assert.equal(sent.length, 2);
    await sendDigests({ ...app, outbox });
    assert.deepEqual(sent.slice(2), [unlucky]);
  });

  it("waits for the next run if one takes more than minutes", async () => {
    const { email } = await newWaiting();
    const { app, mails } = newApp(nextAt(2, 9), email);
    let minutes = 0;
    const now = () => new Date(app.now().getTime() + (minutes += 6) * 60_000);
    await sendDigests({ ...app, now });
    assert.equal(mails.length, 0);
    await sendDigests(app);
    assert.equal(mails.length, 1);
  });
});

describe("the weekly mail", () => {
  it("compares the counts of the week with the week before, once, also when two nodes send it", async () => {
    const site = await newSite();
    const other = await newSite();
    await publish(site);
    for (const token of ["a", "b"])
      await collect(site, "cookies", site.cookies, { token, accept: token === "a" });
    const email = await readEmail(site.token);
    assert.equal((await choose(site.token, { weekly: [site.id] })).status, 200);
    assert.equal((await choose(other.token, { weekly: [site.id] })).status, 422);
    // The mail of the week that has begun is sent on the next Monday.
    const monday = nextAt(1, 7);
    const early = newApp(new Date(monday.getTime() - 60_000), email);
    await sendWeeklyMails(early.app);
    assert.equal(early.mails.length, 0, "6:59 on Monday");
    const { app, mails } = newApp(monday, email);
    const query = `/v1/app/stats/${site.id}`;
    for (const until = Date.now() + 30_000; Date.now() < until;) {
      const { body } = await service.fetch(query, { token: site.token });
      if (JSON.stringify(body).includes('"refused":1')) break;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    await Promise.all([sendWeeklyMails(app), sendWeeklyMails(app)]);
    assert.equal(mails.length, 1);
    const [{ letter }] = mails as [NotificationMail];
    assert.ok(letter.kind === "weekly");
    const [project] = letter.projects;
    assert.deepEqual(project?.week, { shown: 0, answered: 2, accepted: 1, refused: 1 });
    assert.deepEqual(project?.before, { shown: 0, answered: 0, accepted: 0, refused: 0 });
    assert.equal(project?.days.length, 7);
    assert.equal(project?.publications, 1);
    const { text, html } = toText(mails[0] as NotificationMail);
    assert.match(text, /Week +0 +2 +1 +1\n/);
    assert.match(html, /<table>/);
    assert.doesNotMatch(text, /"a"|token=a\b/);
    await sendWeeklyMails(app);
    assert.equal(mails.length, 1, "of this week");
    const next = newApp(new Date(monday.getTime() + 7 * DAY_MS), email);
    await sendWeeklyMails(next.app);
    assert.equal(next.mails.length, 1, "of the next week");
  });

  it("has the projects of a chosen organization, 50 of them, and none that were lost", async () => {
    const { token, email, id } = await service.newUser();
    const organizationId = await create(token, "organizations", { name: "Agency" });
    for (let n = 0; n < 52; n += 1)
      await service.newProject(token, { title: `Site ${n}`, organizationId });
    assert.equal((await choose(token, { weekly: [organizationId] })).status, 200);
    const { app, mails } = newApp(nextAt(1, 7), email);
    await sendWeeklyMails(app);
    const [mail] = mails;
    assert.ok(mail?.letter.kind === "weekly");
    assert.equal(mail.letter.projects.length, 50);
    assert.equal(mail.letter.more, 2);
    await sql`DELETE FROM document_users WHERE user_id = ${id}`.execute(service.db);
    const lost = newApp(new Date(nextAt(1, 7).getTime() + 7 * DAY_MS), email);
    await sendWeeklyMails(lost.app);
    assert.equal(lost.mails.length, 0);
  });
});

describe("notifications from the audit trail", () => {
  it("are made once, also when several nodes make them", async () => {
    const site = await newSite();
    const second = await share(site, "owner");
    await waitUntilNotified();
    const { app } = newApp(service.clock.now(), "");
    await sql`UPDATE notification_head SET position = greatest(0, position - 50)`.execute(
      service.db,
    );
    await Promise.all([notifyNext(app), notifyNext(app), notifyNext(app)]);
    await waitUntilNotified();
    const items = await waitForNotifications(second, "member-changed");
    assert.equal(items.length, 1, "a user has one notification of an event");
  });

  it("warn once that a request for erasure is due, and that a plan's limit is near", async () => {
    const site = await newSite();
    const second = await share(site, "owner");
    await publish(site);
    await collect(site, "cookies", site.cookies, { token: "ann", accept: true });
    const { url } = await newLink(site, "ann");
    await post(url, { do: "request-erasure" });
    const soon = newApp(new Date(service.clock.now().getTime() + 20 * DAY_MS), "");
    await recordDue(soon.app);
    const due = newApp(new Date(service.clock.now().getTime() + 26 * DAY_MS), "");
    await recordDue(due.app);
    await recordDue(due.app);
    const overdue = newApp(new Date(service.clock.now().getTime() + 100 * DAY_MS), "");
    await recordDue(overdue.app);
    const items = await waitForNotifications(second, "erasure-due");
    await waitUntilNotified();
    assert.equal((await waitForNotifications(second, "erasure-due")).length, 1);
    assert.match(items[0]?.text ?? "", /has to be answered within [2-5] days/);

    const { token } = await service.newUser();
    const organizationId = await create(token, "organizations", { name: "Team" });
    const limited = toPlans(service.config);
    const plans = { ...limited, free: { ...limited.free, seatsMax: 2 } };
    const { app } = newApp(service.clock.now(), "");
    const { id: userId } = await service.newUser();
    const users = `/v1/vault/organizations/${organizationId}/users`;
    await service.fetch(users, { token, json: { userId, roles: ["viewer"] } });
    await waitUntilNotified();
    await sql`UPDATE notification_head SET position = greatest(0, position - 20)`.execute(
      service.db,
    );
    await notifyNext({ ...app, plans });
    await waitUntilNotified();
    const [near] = await waitForNotifications(token, "plan-limit-near");
    assert.equal(near?.text, "“Team” uses 100% of a limit of its plan");
    assert.equal(near?.organization?.id, organizationId);
  });

  it("are deleted after their retention period, and beyond the number of a user", async () => {
    const site = await newSite();
    const second = await share(site, "owner");
    for (let n = 0; n < 4; n += 1) await share(site, "viewer");
    const before = await waitForNotifications(second, "member-changed", 5);
    await deleteOldNotifications(service.db, { before: new Date(0), perUser: 3 });
    const kept = await waitForNotifications(second, "member-changed", 0);
    assert.deepEqual(
      kept.map(({ id }) => id),
      before.slice(0, 3).map(({ id }) => id),
    );
  });
});

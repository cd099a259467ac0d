import { Type } from "typebox";
import type { FastifyRequest } from "fastify";
import { hrefOf, paths } from "@avow/contract/urls";
import { CursorQueryIn, cursorListOf } from "../../http/lists/cursors.ts";
import type { Http } from "../../http/http.ts";
import { negotiateLanguage } from "../../http/files/negotiation.ts";
import { answerWrite } from "../../http/write.ts";
import { toActorName } from "../../kernel/actor.ts";
import { type MailLanguage, mailLanguages } from "../../platform/mail/languages.ts";
import { kindNames, notificationKinds } from "./choices/kinds.ts";
import type { NotificationsApp } from "./choices/ports.ts";
import { countUnread, listNotifications, markRead, toDescribed } from "./feed/read.ts";
import { CountOut, NotificationOut, ReadsIn, SettingsIn, SettingsOut } from "./schema.ts";
import { toScreen, toSentence } from "./feed/sentences.ts";
import { type Settings, changeSettings, findSettings, toSettings } from "./choices/settings.ts";
import type { NotificationRow } from "./feed/store.ts";

const tags = ["auth"];

type Routes = Pick<NotificationsApp, "db" | "now" | "counters" | "publicUrl">;

/** Registers a user's notifications and the choices about them. */
export function registerNotificationRoutes(http: Http, app: Routes): void {
  registerList(http, app);
  registerSettings(http, app);
  http.get(
    paths.notificationCount,
    {
      schema: {
        tags,
        operationId: "countNotifications",
        summary: "Count the caller's unread notifications",
        description: "For the number at the bell of the admin app.",
        response: { 200: CountOut },
      },
    },
    async (req) => ({ unread: await countUnread(app.db, toActorName(req.actor)) }),
  );
  http.post(
    paths.notificationReads,
    {
      schema: {
        tags,
        operationId: "markNotificationsRead",
        summary: "Mark the caller's notifications as read",
        description: "Marks those of `ids`, or all. Unknown ids are ignored.",
        body: ReadsIn,
        response: { 200: CountOut },
      },
    },
    async (req, reply) => {
      const userId = toActorName(req.actor);
      return answerWrite({ ...app, req, reply }, async (ctx) => {
        await markRead(ctx, app, { userId, ids: req.body.ids });
        return { unread: await countUnread(ctx.tx, userId) };
      });
    },
  );
}

function registerList(http: Http, app: Routes): void {
  http.get(
    paths.notifications,
    {
      schema: {
        tags,
        operationId: "listNotifications",
        summary: "List the caller's notifications, newest first",
        description:
          "Notifications of the last 90 days, 500 at most. Those about documents that the caller may no longer read are left out.",
        querystring: Type.Interface([CursorQueryIn], {
          unread: Type.Optional(Type.Boolean({ description: "Only unread ones." })),
        }),
        response: { 200: cursorListOf(NotificationOut) },
      },
    },
    async (req) => {
      const { limit, cursor, unread } = req.query;
      const page = await listNotifications(app, toActorName(req.actor), {
        limit,
        cursor,
        isUnread: unread === true,
      });
      const language = toLanguage(req);
      const filter = unread === undefined ? {} : { unread: String(unread) };
      const hrefAt = (here: string | undefined) =>
        hrefOf(app.publicUrl, paths.notifications, {}, { limit, ...filter, cursor: here });
      return {
        items: page.items.map((row) => toNotificationOut(row, app, language)),
        links: {
          self: hrefAt(cursor),
          ...(page.next === undefined ? {} : { next: hrefAt(page.next) }),
        },
      };
    },
  );
}

const toLanguage = (req: FastifyRequest): MailLanguage => negotiateLanguage(req, mailLanguages);

function toNotificationOut(
  row: NotificationRow,
  { counters, publicUrl }: Routes,
  language: MailLanguage,
): NotificationOut {
  const { resource, title, document_id: id } = row;
  const described = toDescribed(row);
  const about = { id, title: title ?? id };
  return {
    id: counters.events.toText(row.event_id),
    // Kinds that a later release removed are left out of the list.
    kind: row.kind as NotificationOut["kind"],
    text: toSentence(described, language),
    at: row.created_at.toISOString(),
    ...(row.read_at ? { readAt: row.read_at.toISOString() } : {}),
    ...(resource === "organizations" ? { organization: about } : { project: about }),
    links: { screen: toScreen(publicUrl, described) },
  };
}

function registerSettings(http: Http, app: Routes): void {
  http.get(
    paths.notificationSettings,
    {
      schema: {
        tags,
        operationId: "getNotificationSettings",
        summary: "Get the caller's choices about notifications and mails",
        description: "Kinds of notifications without a choice of the caller have their default.",
        response: { 200: SettingsOut },
      },
    },
    async (req) => {
      const language = toLanguage(req);
      return toSettingsOut(await findSettings(app.db, toActorName(req.actor), language), language);
    },
  );
  http.put(
    paths.notificationSettings,
    {
      schema: {
        tags,
        operationId: "setNotificationSettings",
        summary: "Replace the caller's choices about notifications and mails",
        description:
          "`mails` has the choice of each kind; a kind that is absent has its default. The weekly mail is sent on Mondays from 7:00 of `timeZone`, the daily one from 8:00.",
        body: SettingsIn,
        response: { 200: SettingsOut },
      },
    },
    async (req, reply) => {
      const { mails, ...choices } = req.body;
      const settings: Settings = {
        ...choices,
        mails: { ...toSettings(undefined, choices.language).mails, ...mails },
      };
      await answerWrite({ ...app, req, reply }, (ctx) =>
        changeSettings(ctx, toActorName(req.actor), settings),
      );
      return toSettingsOut(settings, toLanguage(req));
    },
  );
}

function toSettingsOut({ mails, ...choices }: Settings, language: MailLanguage) {
  return {
    ...choices,
    kinds: kindNames.map((kind) => ({
      kind,
      label: notificationKinds[kind].label[language],
      mail: mails[kind] ?? notificationKinds[kind].mail,
    })),
  };
}

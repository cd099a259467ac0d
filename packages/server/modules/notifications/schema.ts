import { type Static, Type } from "typebox";
import { mailLanguages } from "../../platform/mail/languages.ts";
import { kindNames, mailTimes } from "./choices/kinds.ts";
import { CHOICES_MAX } from "./choices/settings.ts";

const Instant = Type.String({ format: "date-time" });
const Kind = Type.Enum(kindNames);
const MailTimeOut = Type.Enum([...mailTimes], {
  description: "`now`: a mail for each; `daily`: one mail a day; `off`: no mail.",
});

export const NotificationOut = Type.Object(
  {
    id: Type.String(),
    kind: Kind,
    text: Type.String({ description: "A sentence in the language of the request." }),
    at: Instant,
    readAt: Type.Optional(Instant),
    project: Type.Optional(Type.Object({ id: Type.String(), title: Type.String() })),
    organization: Type.Optional(Type.Object({ id: Type.String(), title: Type.String() })),
    links: Type.Object({ screen: Type.String({ description: "Its screen in the admin app." }) }),
  },
  { title: "Notification" },
);
export type NotificationOut = Static<typeof NotificationOut>;

export const CountOut = Type.Object({
  unread: Type.Integer({ description: "Number of unread notifications, 99 at most." }),
});

export const ReadsIn = Type.Object({
  ids: Type.Optional(
    Type.Array(Type.String({ maxLength: 64 }), {
      maxItems: 100,
      description: "The notifications to mark as read; all of them if it is absent.",
    }),
  ),
});

const Ids = (description: string) =>
  Type.Array(Type.String({ minLength: 1, maxLength: 64 }), {
    maxItems: CHOICES_MAX,
    uniqueItems: true,
    description,
  });
const choices = {
  language: Type.Enum([...mailLanguages]),
  timeZone: Type.String({ maxLength: 64, description: "IANA, such as Europe/Paris." }),
  muted: Ids("Projects and organizations of which nothing is notified."),
  weekly: Ids("Projects of the weekly mail, and organizations with all their projects."),
};

export const SettingsIn = Type.Object(
  {
    ...choices,
    mails: Type.Object(
      Object.fromEntries(kindNames.map((kind) => [kind, Type.Optional(MailTimeOut)])),
      { additionalProperties: false },
    ),
  },
  { title: "NotificationChoices", additionalProperties: false },
);

export const SettingsOut = Type.Object(
  {
    ...choices,
    kinds: Type.Array(
      Type.Object({
        kind: Kind,
        label: Type.String({ description: "In the language of the request." }),
        mail: MailTimeOut,
      }),
    ),
  },
  { title: "NotificationSettings" },
);

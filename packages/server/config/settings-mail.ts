import { mailSender, smtpAddress } from "./setting-kinds-mail.ts";
import { type Setting, oneOf } from "./setting-kinds.ts";

/** Settings of the mails that the service sends. */
export const mailSettings = {
  SMTP_URL: {
    kind: smtpAddress,
    defaultShown: "files in DATA_DIR/mails",
    help: "Mail server: smtps://user:password@host:465, or smtp://user:password@host:587 with STARTTLS; ?tls=off for one in a network of your own.",
    secret: true,
  },
  MAIL_FROM: {
    kind: mailSender,
    defaultShown: "Avow <avow@localhost>",
    help: "Who mails are from, such as Avow <avow@example.com>; needed with SMTP_URL.",
  },
  RIGHTS_BY_EMAIL: {
    kind: oneOf(["confirmed", "any"]),
    defaultShown: "confirmed with SMTP_URL",
    help: "Which accounts roles can be given to by their e-mail address: those that confirmed it, or any (which it is without a mail server). Others are invited.",
  },
} as const satisfies Record<string, Setting>;

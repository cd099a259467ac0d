import { mailSender, smtpAddress } from "./setting-kinds-mail.ts";
import type { Setting } from "./setting-kinds.ts";

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
} as const satisfies Record<string, Setting>;

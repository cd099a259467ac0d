import type { FastifyBaseLogger } from "fastify";
import { openFolderMails } from "./folder.ts";
import type { Mails, Sender } from "./mail.ts";
import { type SmtpLogin, type SmtpServer, openSmtpMails } from "./smtp.ts";

/** The sender of mails, and the mail server or folder that they go to. */
export interface MailSettings {
  readonly from: Sender;
  /** Undefined: mails are written to files in `folder`. */
  readonly smtp: SmtpServer | undefined;
  /** Absolute. */
  readonly folder: string;
}

export interface MailsOptions {
  config: { readonly mail: MailSettings };
  secrets: { readonly smtpLogin?: SmtpLogin };
  log: Pick<FastifyBaseLogger, "info">;
}

/** Opens the configured mail server, or a folder without one. */
export async function openMails({
  config,
  secrets,
  log,
}: MailsOptions): Promise<Mails & Disposable> {
  const { from, smtp, folder } = config.mail;
  if (smtp) return openSmtpMails({ server: smtp, login: secrets.smtpLogin, from });
  log.info({ folder }, "SMTP_URL not set, writing mails to files");
  const mails = await openFolderMails({ folder, from, log });
  return { ...mails, [Symbol.dispose]: () => undefined };
}

import type { FastifyBaseLogger } from "fastify";
import type { Config, Secrets } from "../../config.ts";
import { openFolderMails } from "./folder.ts";
import type { Mails } from "./mail.ts";
import { openSmtpMails } from "./smtp.ts";

export interface MailsOptions {
  config: Pick<Config, "mail">;
  secrets: Pick<Secrets, "smtpLogin">;
  log: Pick<FastifyBaseLogger, "info">;
}

/** Opens the way that the settings name: a mail server, or a folder where there is none. */
export async function openMails({
  config,
  secrets,
  log,
}: MailsOptions): Promise<Mails & Disposable> {
  const { from, smtp, folder } = config.mail;
  if (smtp) return openSmtpMails({ server: smtp, login: secrets.smtpLogin, from });
  log.info({ folder }, "SMTP_URL is not set: mails are written to files");
  const mails = await openFolderMails({ folder, from, log });
  return { ...mails, [Symbol.dispose]: () => undefined };
}

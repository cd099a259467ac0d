import { join, resolve } from "node:path";
import type { Sender } from "../platform/mail/mail.ts";
import type { MailSettings } from "../platform/mail/open.ts";
import type { Values } from "./settings.ts";

/** Mail, and which accounts an address names where rights are given by it. */
export interface MailConfig extends MailSettings {
  readonly rightsByEmail: "confirmed" | "any";
}

const nobody: Sender = { name: "Avow", address: "avow@localhost" };

/** A mail server takes no mail from nobody. */
export function findMailFaults({ SMTP_URL, MAIL_FROM }: Values): string[] {
  if (SMTP_URL === undefined || MAIL_FROM !== undefined) return [];
  return ["MAIL_FROM: expected an address such as Avow <avow@example.com>, since SMTP_URL is set"];
}

export function toMailConfig(values: Values): MailConfig {
  const { SMTP_URL, MAIL_FROM, DATA_DIR, RIGHTS_BY_EMAIL } = values;
  return {
    // Where no mail goes out, nobody can confirm an address.
    rightsByEmail: RIGHTS_BY_EMAIL ?? (SMTP_URL === undefined ? "any" : "confirmed"),
    from: MAIL_FROM ?? nobody,
    smtp: SMTP_URL?.server,
    folder: join(resolve(DATA_DIR), "mails"),
  };
}

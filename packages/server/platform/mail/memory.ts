import { type Mail, type Mails, assertMail } from "./mail.ts";

/** Mails in memory, for tests. */
export interface MemoryMails extends Mails {
  /** Sent mails, oldest first. */
  sent(): readonly Mail[];
}

export function openMemoryMails(): MemoryMails {
  const kept = new Map<string, Mail>();
  return {
    async sendMail(mail) {
      assertMail(mail);
      kept.set(mail.id, { ...mail });
    },
    sent: () => [...kept.values()],
  };
}

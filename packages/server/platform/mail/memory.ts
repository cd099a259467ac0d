import { type Mail, type Mails, assertMail } from "./mail.ts";

/** Mails that go nowhere: for tests. */
export interface MemoryMails extends Mails {
  /** What was sent, oldest first. */
  sent(): readonly Mail[];
}

/** Opens a driver that remembers what was sent for as long as the process lives. */
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

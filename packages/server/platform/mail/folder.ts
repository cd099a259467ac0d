import { randomBytes } from "node:crypto";
import { mkdir, readdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createTransport } from "nodemailer";
import { type Mails, type Sender, assertMail } from "./mail.ts";
import { toMessage } from "./message.ts";

export interface FolderMailsOptions {
  folder: string;
  from: Sender;
  log: { info(fields: object, message: string): void };
}

/**
 * Opens a folder that mails are written to, each a file `ID.eml` that mail programs open, for a
 * service without a mail server. Only its owner may read them: they hold links that let people in.
 */
export async function openFolderMails({ folder, from, log }: FolderMailsOptions): Promise<Mails> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const composer = createTransport({ streamTransport: true, buffer: true });
  return {
    async sendMail(mail) {
      assertMail(mail);
      const { message } = await composer.sendMail(toMessage(mail, from));
      const file = join(folder, `${mail.id}.eml`);
      const beside = join(folder, `.${mail.id}.${randomBytes(4).toString("hex")}.tmp`);
      await writeFile(beside, message, { mode: 0o600 });
      await rename(beside, file);
      log.info({ file }, "mail written to a file, since SMTP_URL is not set");
    },
  };
}

/** Deletes mails that were written before `before`, and what a crash left of others. */
export async function deleteMailFiles(folder: string, before: Date): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!/\.(?:eml|tmp)$/.test(name)) continue;
    const file = join(folder, name);
    // Another process may have deleted it meanwhile.
    const found = await stat(file).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "ENOENT") throw error;
    });
    if (found && found.mtime < before) await rm(file, { force: true });
  }
}

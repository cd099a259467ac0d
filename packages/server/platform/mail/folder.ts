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
 * Opens a folder for a service without a mail server, which writes each mail to a file `ID.eml` that mail programs
 * open. Only the owner can read the files, since they contain sign-in links.
 */
export async function openFolderMails({ folder, from, log }: FolderMailsOptions): Promise<Mails> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const composer = createTransport({ streamTransport: true, buffer: true });
  return {
    async sendMail(mail) {
      assertMail(mail);
      const { message } = await composer.sendMail(toMessage(mail, from));
      const file = join(folder, `${mail.id}.eml`);
      const temporary = join(folder, `.${mail.id}.${randomBytes(4).toString("hex")}.tmp`);
      await writeFile(temporary, message, { mode: 0o600 });
      await rename(temporary, file);
      log.info({ file }, "mail written to a file, since SMTP_URL is not set");
    },
  };
}

/** Deletes mails and temporary files older than `before`. */
export async function deleteMailFiles(folder: string, before: Date): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!/\.(?:eml|tmp)$/.test(name)) continue;
    const file = join(folder, name);
    // Another process may have deleted it.
    const found = await stat(file).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "ENOENT") throw error;
    });
    if (found && found.mtime < before) await rm(file, { force: true });
  }
}

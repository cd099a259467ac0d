import type { FastifyBaseLogger } from "fastify";
import type { Tx } from "../../../platform/db/db.ts";
import { newDocumentId } from "../../../kernel/ids.ts";
import type { Jobs } from "../../../kernel/jobs.ts";
import { MailError, type Mails, isMailAddress } from "../../../platform/mail/mail.ts";
import type { Sealer } from "../../../platform/crypto/sealing.ts";
import { toMailContent } from "./letter.ts";
import type { MailLanguage } from "../../../platform/mail/languages.ts";
import type { Letter } from "./letters.ts";

/** The queue of mails; its data is `{ id, sealed }`, sealed since letters hold tokens and addresses. */
const MAIL_QUEUE = "mails";
/** With back-off the last try comes about an hour after the first: a reset's link has ended then. */
const RETRIES_MAX = 11;
const TIMEOUT_SECONDS = 90;

/** A letter to somebody. */
export interface Posted {
  to: string;
  language: MailLanguage;
  letter: Letter;
}

export interface Outbox {
  /** Posts a letter in the caller's transaction; none to what is no address (usernames need not be one), or to null. */
  postLetter(tx: Tx, now: Date, posted: Omit<Posted, "to"> & { to: string | null }): Promise<void>;
}

export function openOutbox({ jobs, sealer }: { jobs: Jobs; sealer: Sealer }): Outbox {
  return {
    async postLetter(tx, now, posted) {
      const { to } = posted;
      if (to === null || !isMailAddress(to)) return;
      const letter: Posted = { ...posted, to };
      const data = { id: newDocumentId(now), sealed: sealer.seal(letter) };
      await jobs.sendJob(tx, { queue: MAIL_QUEUE, data });
    },
  };
}

interface Postal {
  jobs: Jobs;
  mails: Mails;
  sealer: Sealer;
  publicUrl: string;
  log: Pick<FastifyBaseLogger, "warn" | "error">;
}

/** Works the queue of mails. What a mail server refuses for good is told in the log, without the address. */
export async function startOutbox(postal: Postal): Promise<void> {
  await postal.jobs.workQueue<{ id: string; sealed: string }>(
    { name: MAIL_QUEUE, concurrency: 2, retriesMax: RETRIES_MAX, timeoutSeconds: TIMEOUT_SECONDS },
    async ({ id, sealed }, { isLast }) => {
      // What this service sealed it made itself, so its shape is known.
      const posted = postal.sealer.open(sealed) as Posted | undefined;
      if (!posted) {
        postal.log.error({ mail: id }, "a mail was sealed with another SECRET_KEY and is lost");
        return;
      }
      const { to, language, letter } = posted;
      const content = toMailContent(letter, { language, publicUrl: postal.publicUrl });
      try {
        await postal.mails.sendMail({ id, to, ...content });
      } catch (error) {
        const isLost = isLast || (error instanceof MailError && error.isLasting);
        const told = { mail: id, kind: letter.kind, err: error };
        if (!isLost) {
          postal.log.warn(told, "a mail was not sent, and will be tried again");
          throw error;
        }
        postal.log.error(told, "a mail was not sent");
      }
    },
  );
}

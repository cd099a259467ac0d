import type { FastifyBaseLogger } from "fastify";
import type { Tx } from "../../../platform/db/db.ts";
import { newDocumentId } from "../../../kernel/ids.ts";
import type { Jobs } from "../../../kernel/jobs.ts";
import { MailError, type Mails, isMailAddress } from "../../../platform/mail/mail.ts";
import type { Sealer } from "../../../platform/crypto/sealing.ts";
import { toMailContent } from "./letter.ts";
import type { MailLanguage } from "../../../platform/mail/languages.ts";
import type { Letter, LetterBrand } from "./letters.ts";

/** The queue of mails. Its data is `{ id, sealed }`, encrypted since letters contain tokens and addresses. */
const MAIL_QUEUE = "mails";
/** With backoff the last attempt is about an hour after the first, when the link of a reset has expired. */
const RETRIES_MAX = 11;
const TIMEOUT_SECONDS = 90;

/** A queued letter with its recipient. */
interface QueuedMail {
  to: string;
  language: MailLanguage;
  letter: Letter;
  brand?: LetterBrand | undefined;
}

/** A letter to send; `about` is the document whose organization's brand it has. */
type PostedLetter = Omit<QueuedMail, "to" | "brand"> & { to: string | null; about?: string };

/** Finds the brand of a document's organization. */
export type FindBrand = (tx: Tx, documentId: string) => Promise<LetterBrand | undefined>;

export interface Outbox {
  /** Queues a letter in the caller's transaction. Ignores a `to` that is null or not an address (usernames need not be). */
  postLetter(tx: Tx, now: Date, posted: PostedLetter): Promise<void>;
}

export function openOutbox({
  jobs,
  sealer,
  findBrand,
}: {
  jobs: Jobs;
  sealer: Sealer;
  findBrand: FindBrand;
}): Outbox {
  return {
    async postLetter(tx, now, { about, ...posted }) {
      const { to } = posted;
      if (to === null || !isMailAddress(to)) return;
      const brand = about === undefined ? undefined : await findBrand(tx, about);
      const letter: QueuedMail = { ...posted, to, brand };
      const data = { id: newDocumentId(now), sealed: sealer.seal(letter) };
      await jobs.sendJob(tx, { queue: MAIL_QUEUE, data });
    },
  };
}

interface MailQueueOptions {
  jobs: Jobs;
  mails: Mails;
  sealer: Sealer;
  publicUrl: string;
  counts: { sent: number; failed: number };
  log: Pick<FastifyBaseLogger, "warn" | "error">;
}

/** Processes the queue of mails. A permanent rejection by the mail server is logged, without the address. */
export async function startOutbox(options: MailQueueOptions): Promise<void> {
  await options.jobs.workQueue<{ id: string; sealed: string }>(
    { name: MAIL_QUEUE, concurrency: 2, retriesMax: RETRIES_MAX, timeoutSeconds: TIMEOUT_SECONDS },
    async ({ id, sealed }, { isLast }) => {
      // Only this service seals mails, so the shape is known.
      const posted = options.sealer.open(sealed) as QueuedMail | undefined;
      if (!posted) {
        options.log.error({ mail: id }, "mail lost: sealed with another SECRET_KEY");
        return;
      }
      const { to, language, letter, brand } = posted;
      const content = toMailContent(letter, { language, publicUrl: options.publicUrl, brand });
      try {
        const unsubscribeUrl = "unsubscribeUrl" in letter ? letter.unsubscribeUrl : undefined;
        await options.mails.sendMail({ id, to, ...content, unsubscribeUrl });
        options.counts.sent += 1;
      } catch (error) {
        const isFinal = isLast || (error instanceof MailError && error.isLasting);
        const fields = { mail: id, kind: letter.kind, err: error };
        if (!isFinal) {
          options.log.warn(fields, "mail not sent, will retry");
          throw error;
        }
        options.counts.failed += 1;
        options.log.error(fields, "mail not sent");
      }
    },
  );
}

import { toSnippet } from "@avow/contract/snippet";
import type { Config } from "../../../config/config.ts";
import type { Ctx } from "../../../kernel/ctx.ts";
import { recordEvent } from "../../../kernel/events/events.ts";
import { toLoginName } from "../../../kernel/logins.ts";
import { findUserById } from "../../../kernel/users-store.ts";
import type { Tx } from "../../../platform/db/db.ts";
import { Fault, assertNoFaults } from "../../../platform/errors.ts";
import type { MailLanguage } from "../../../platform/mail/languages.ts";
import { isMailAddress } from "../../../platform/mail/mail.ts";
import { getProject } from "../../vault/documents/access.ts";
import { fileHref, findBlockObject } from "../publications/files.ts";
import { findNewestPublication } from "../publications/publications-store.ts";
import { findJob } from "../publications/store.ts";

const RETRY_SECONDS = 86_400;

/** A mail with the snippet. */
interface SnippetMail {
  to: string;
  language: MailLanguage;
  /** The project, whose brand the mail has. */
  about: string;
  letter: {
    kind: "snippet";
    sender: string;
    title: string;
    host: string;
    snippet: string;
    serviceUrl: string;
    projectId: string;
  };
}

/** The dependencies that the composition root passes to this folder. */
export interface HandoverApp {
  publicUrl: string;
  config: Pick<Config, "cdnUrl">;
  /** Whether rights need a confirmed address (`RIGHTS_BY_EMAIL`). */
  needsConfirmedAddress: boolean;
  outbox: { postLetter: (tx: Tx, now: Date, posted: SnippetMail) => Promise<void> };
  /** Counts a mail in the transaction; false at the limit of the account or of the address. */
  tryCountMail: (tx: Tx, mail: { userId: string; address: string; now: Date }) => Promise<boolean>;
}

/**
 * Mails the snippet of a live project to a developer, in the language of the sender.
 * @throws Fault not-found, invalid (the address), forbidden (an API key, a role without the right, or an unconfirmed address), conflict if the
 *   project is not live, too-many
 */
export async function mailSnippet(
  ctx: Ctx,
  app: HandoverApp,
  { projectId, email, language }: { projectId: string; email: string; language: MailLanguage },
): Promise<void> {
  const { publicUrl, needsConfirmedAddress, outbox, tryCountMail } = app;
  const project = await getProject(ctx.tx, ctx.scope, projectId);
  if (!isMailAddress(email))
    assertNoFaults([{ path: "/email", message: "must be an e-mail address" }]);
  if (ctx.actor.kind !== "user") throw new Fault("forbidden", "Only a user can send the snippet.");
  if (project.live_version === null)
    throw new Fault("conflict", "Publish the project before you send its snippet.");
  const { userId } = ctx.actor;
  const sender = await findUserById(ctx.tx, userId);
  const isKnown = sender?.isConfirmed === true || sender?.email === null;
  if (needsConfirmedAddress && !isKnown)
    throw new Fault("forbidden", "Confirm your e-mail address before you send mails to others.");
  if (!(await tryCountMail(ctx.tx, { userId, address: toLoginName(email), now: ctx.now })))
    throw new Fault("too-many", "Too many mails with a snippet were sent today.", {
      retryAfterSeconds: RETRY_SECONDS,
    });
  const letter = {
    kind: "snippet",
    sender: sender?.displayName ?? "",
    title: project.body.title,
    host: URL.parse(project.body.websiteURL)?.host ?? "",
    snippet: toSnippet({
      serviceUrl: publicUrl,
      projectId,
      blockUrl: await findBlockUrl(ctx.tx, app, projectId),
    }),
    serviceUrl: publicUrl,
    projectId,
  } as const;
  await outbox.postLetter(ctx.tx, ctx.now, { to: email, language, letter, about: projectId });
  await recordEvent(ctx, { name: "snippet.mailed", projectId, documentId: projectId, data: {} });
}

/** The address of the script that holds tags, if the live version, which is the newest, has one. */
async function findBlockUrl(
  tx: Tx,
  { config }: Pick<HandoverApp, "config">,
  projectId: string,
): Promise<string | undefined> {
  const target = { projectId, environment: "production" } as const;
  const live = await findNewestPublication(tx, target);
  const job = live && (await findJob(tx, live.job_id));
  const block = job && findBlockObject(target, job.files);
  return block && fileHref(config, block);
}

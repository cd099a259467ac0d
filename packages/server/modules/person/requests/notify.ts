import { paths } from "@avow/contract/urls";
import { listUsersById } from "../../../kernel/users-store.ts";
import { inTransaction } from "../../../platform/db/transaction.ts";
import { type MailLanguage, mailLanguages } from "../../../platform/mail/languages.ts";
import type { ErasureRequest } from "../../consents/erase/requests.ts";
import { getProject } from "../../vault/documents/access.ts";
import { listOwnerIds } from "../../vault/members/holders.ts";
import type { PersonApp } from "../answers/ports.ts";

/** Maximum owners that get a mail. */
const OWNERS_MAX = 20;

/** Mails a project's owners that a person asked for erasure. The mail does not contain the token. */
export async function mailRequest(
  { db, now, publicUrl, outbox }: Pick<PersonApp, "db" | "now" | "publicUrl" | "outbox">,
  { projectId, dueAt }: Pick<ErasureRequest, "projectId" | "dueAt">,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    const { body } = await getProject(tx, { kind: "system" }, projectId);
    const language = toMailLanguage(body.locales);
    const letter = {
      kind: "erasure-requested",
      url: `${publicUrl}${paths.admin}/projects/${projectId}/consents`,
      title: body.title,
      dueAt: dueAt.toLocaleDateString(language, { dateStyle: "long", timeZone: "UTC" }),
    } as const;
    const owners = await listOwnerIds(tx, projectId, OWNERS_MAX);
    for (const { email: to } of await listUsersById(tx, owners))
      await outbox.postLetter(tx, now(), { to, language, letter, about: projectId });
  });
}

/** The project's first language, if mails have it. */
function toMailLanguage([first = ""]: readonly string[] = []): MailLanguage {
  return mailLanguages.find((one) => first.toLowerCase().startsWith(one)) ?? mailLanguages[0];
}

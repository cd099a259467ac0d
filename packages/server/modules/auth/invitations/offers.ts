import type { Ctx } from "../../../kernel/ctx.ts";
import { toLoginName } from "../../../kernel/logins.ts";
import { findUserById } from "../../../kernel/users-store.ts";
import type { MailLanguage } from "../../../platform/mail/languages.ts";
import type { InvitationsApp } from "./ports.ts";

/** The offer of a project to a person. */
interface Offer {
  to: string;
  offererId: string;
  title: string;
  url: string;
  language: MailLanguage;
  projectId: string;
}

/** Mails the offer of a project, within the limits of invitations to the address; returns whether it is sent. */
export async function mailOffer(
  ctx: Ctx,
  { limiter, outbox }: Pick<InvitationsApp, "limiter" | "outbox">,
  { to, offererId, title, url, language, projectId }: Offer,
): Promise<boolean> {
  const attempt = {
    limit: "invitations to address",
    key: [toLoginName(to)],
    now: ctx.now,
  } as const;
  if (!(await limiter.tryCount(attempt, ctx.tx))) return false;
  const { displayName: offerer = "" } = (await findUserById(ctx.tx, offererId)) ?? {};
  const letter = { kind: "project-offered", url, offerer, title } as const;
  await outbox.postLetter(ctx.tx, ctx.now, { to, language, letter, about: projectId });
  return true;
}

/** Counts an offer like an invitation. @throws Fault too-many */
export async function countOffer(
  { limiter }: Pick<InvitationsApp, "limiter">,
  { userId, to, now }: { userId: string; to: string; now: Date },
): Promise<void> {
  await limiter.count({ limit: "invitations by user", key: [userId], now });
  const key = [userId, toLoginName(to)];
  await limiter.count({ limit: "invitations by user to address", key, now });
}

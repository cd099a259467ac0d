import { hrefOf, paths } from "@avow/contract/urls";
import { type Ctx, toCtx } from "../../../kernel/ctx.ts";
import { Fault } from "../../../platform/errors.ts";
import type { NotificationsApp } from "./ports.ts";
import { type EndedMail, endMails } from "./settings.ts";

interface Unsubscription {
  userId: string;
  ended: EndedMail;
}

type Sealing = Pick<NotificationsApp, "sealer">;

/** The address that ends mails of a user (RFC 8058). It works as long as the service has its secret. */
export function toUnsubscribeUrl(
  { sealer, publicUrl }: Sealing & Pick<NotificationsApp, "publicUrl">,
  of: Unsubscription,
): string {
  return hrefOf(publicUrl, paths.unsubscribePage, {}, { token: sealer.seal(of) });
}

/** The content of a token. Throws `Fault` not-found for anything that this service did not seal. */
export function openUnsubscription({ sealer }: Sealing, token: string): Unsubscription {
  // Only this module seals with this purpose, so the shape is known.
  const opened = sealer.open(token) as Unsubscription | undefined;
  if (!opened) throw new Fault("not-found", "This link is not valid.");
  return opened;
}

/** Ends the mails of a token. Idempotent. @throws Fault not-found for a forged token */
export async function unsubscribe(
  ctx: Omit<Ctx, "actor" | "scope">,
  app: Sealing,
  token: string,
): Promise<EndedMail> {
  const { userId, ended } = openUnsubscription(app, token);
  const actor = { kind: "user", userId, tokenId: "" } as const;
  await endMails(toCtx({ ...ctx, actor }), userId, ended);
  return ended;
}

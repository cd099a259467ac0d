import type { Ctx } from "../../../kernel/ctx.ts";
import type { MailLanguage } from "../../../platform/mail/languages.ts";
import { getUserById } from "../users/store.ts";
import type { Letter } from "./letters.ts";
import type { Outbox } from "./outbox.ts";

/** Posts a letter about a user's account to its address, in the transaction of the change. */
export async function notifyUser(
  ctx: Pick<Ctx, "tx" | "now">,
  { outbox }: { outbox: Outbox },
  { userId, language, letter }: { userId: string; language: MailLanguage; letter: Letter },
): Promise<void> {
  const { email } = await getUserById(ctx.tx, userId);
  await outbox.postLetter(ctx.tx, ctx.now, { to: email, language, letter });
}

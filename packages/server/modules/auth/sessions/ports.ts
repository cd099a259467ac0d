import type { Ctx } from "../../../kernel/ctx.ts";
import type { Attempts } from "../limits/signin-attempts.ts";
import type { Session } from "./sessions.ts";

/** Starts a session by `verb`, and remembers where its user came in from: see `Attempts.remember`. */
export async function comeIn(
  ctx: Ctx,
  { attempts, ip }: { attempts: Attempts; ip: string },
  verb: (ctx: Ctx) => Promise<Session>,
): Promise<Session> {
  const session = await verb(ctx);
  await attempts.remember(ctx.tx, { userId: session.userId, ip, now: ctx.now });
  return session;
}

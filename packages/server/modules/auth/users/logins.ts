import type { Ctx } from "../../../kernel/ctx.ts";
import { toLoginName } from "../../../kernel/logins.ts";
import { assertNoFaults } from "../../../platform/errors.ts";
import { insertLogins } from "./store.ts";

/** Claims the names that sign a user in. @throws Fault conflict, naming each that another user has */
export async function claimLogins(
  ctx: Ctx,
  userId: string,
  { username, email }: { username: string; email: string },
): Promise<void> {
  const wanted = [
    { path: "/username", name: toLoginName(username) },
    { path: "/email", name: toLoginName(email) },
  ];
  const free = await insertLogins(
    ctx.tx,
    userId,
    wanted.map(({ name }) => name),
  );
  const taken = wanted.filter(({ name }) => !free.includes(name));
  const faults = taken.map(({ path }) => ({ path, message: "is already in use" }));
  assertNoFaults(faults, "conflict");
}

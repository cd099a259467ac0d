import type { Actor } from "../../../kernel/actor.ts";
import { Fault } from "../../../platform/errors.ts";

/** The signed-in user who acts. @throws Fault unauthenticated for any other actor */
export function getCaller(actor: Actor): { userId: string; tokenId: string } {
  if (actor.kind === "user") return actor;
  throw new Fault("unauthenticated", "This is for signed-in users.");
}

import { createClient } from "@avow/client";
import { base } from "../browser/base.ts";
import { language } from "../words/words.ts";

/** Refusals that a person can resolve: the session has ended, or is too old for a change of how one signs in. */
type Resolvable = "unauthenticated" | "confirmation-needed";
/**
 * Asks the person to sign in or to confirm: true where they did, as the same user. `sentAt` is when the refused call
 * was sent, by `performance.now()`: one from before the last sign-in is only repeated.
 */
export type Ask = (sentAt: number) => Promise<boolean>;
const asks = new Map<string, Ask>();

/** Sets how a refusal is resolved; undefined: not at all. */
export function onRefusal(kind: Resolvable, ask: Ask | undefined): void {
  if (ask) asks.set(kind, ask);
  else asks.delete(kind);
}

/**
 * Calls the service as the user of the session. Where somebody has to sign in again or to confirm for a call, it is
 * repeated after that, so that nothing that was typed is lost. Screens offer a retry themselves.
 */
export const { send, sendWhole, sendFile, toAddress } = createClient({
  url: base,
  headers: () => ({ "accept-language": language.value }),
  retries: 0,
  onRefusal: async ({ kind }, sentAt) => (await asks.get(kind)?.(sentAt)) ?? false,
});

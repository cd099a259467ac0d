import { createClient } from "@avow/client";
import { base } from "../browser/base.ts";
import { language } from "../words/words.ts";

/** Refusals that the user can resolve by signing in again or by confirming their identity. */
type Resolvable = "unauthenticated" | "confirmation-needed";
/**
 * Asks the user to sign in or to confirm; true if they did, as the same user. `sentAt` is the `performance.now()` of
 * the refused call: a call from before the last sign-in is only repeated.
 */
export type Ask = (sentAt: number) => Promise<boolean>;
const asks = new Map<string, Ask>();

/** Sets the handler of a refusal; undefined removes it. */
export function onRefusal(kind: Resolvable, ask: Ask | undefined): void {
  if (ask) asks.set(kind, ask);
  else asks.delete(kind);
}

/**
 * Calls the service as the user of the session. A call that needs a new sign-in or a confirmation is repeated after
 * it, so that no input is lost. Screens offer a retry themselves.
 */
export const { send, sendWhole, sendFile, toAddress } = createClient({
  url: base,
  headers: () => ({ "accept-language": language.value }),
  retries: 0,
  onRefusal: async ({ kind }, sentAt) => (await asks.get(kind)?.(sentAt)) ?? false,
});

import type { Actor } from "../../kernel/actor.ts";
import { Fault } from "../../platform/errors.ts";

/** The scope of API keys that reads consents, by whatever way. */
const SCOPE = "consents:read";

/** Whether an event's body is a consent. */
export function isConsentName(name: string): boolean {
  return /^consent(\/|\.created$|\.withdrawn$)/.test(name);
}

/** Whether the actor may read consents, as far as an API key's scopes say. */
export function mayReadConsents(actor: Actor): boolean {
  return actor.kind !== "user" || actor.scopes === undefined || actor.scopes.includes(SCOPE);
}

/**
 * Holds who asks for consents, here or at another address, to what reading them elsewhere needs.
 * @throws Fault forbidden for an API key without the scope, where one of the events is a consent
 */
export function assertMayRead(actor: Actor, events: readonly string[]): void {
  const name = events.find(isConsentName);
  if (name === undefined || mayReadConsents(actor)) return;
  throw new Fault("forbidden", `${name} needs an API key with the scope ${SCOPE} too.`);
}

import type { Actor } from "../../../kernel/actor.ts";
import { Fault } from "../../../platform/errors.ts";

const SCOPE = "consents:read";

/** Whether the body of an event is a consent record. */
export function isConsentName(name: string): boolean {
  return /^consent(\/|\.created$|\.withdrawn$)/.test(name);
}

export function mayReadConsents(actor: Actor): boolean {
  return actor.kind !== "user" || actor.scopes === undefined || actor.scopes.includes(SCOPE);
}

/**
 * A webhook is a way to read consents, so an API key needs the scope that reading them elsewhere needs.
 * @throws Fault forbidden for an API key without it, where one of the events is a consent
 */
export function assertMayRead(actor: Actor, events: readonly string[]): void {
  const name = events.find(isConsentName);
  if (name === undefined || mayReadConsents(actor)) return;
  throw new Fault("forbidden", `${name} needs an API key with the scope ${SCOPE} too.`);
}

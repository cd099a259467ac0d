import type { Actor } from "../../../kernel/actor.ts";
import type { RouteRights } from "../../../kernel/rights.ts";
import { Fault } from "../../../platform/errors.ts";

/**
 * Asserts that an API key is in scope, at the edge and for every route.
 * @throws Fault forbidden with the required scopes
 */
export function assertInScope(actor: Actor, { scope, andScope }: RouteRights): void {
  if (actor.kind !== "user" || actor.scopes === undefined || scope === "any") return;
  if (scope === undefined)
    throw new Fault("forbidden", "API keys cannot do this. Sign in instead.");
  const needed = andScope === undefined ? [scope] : [scope, andScope];
  const { scopes } = actor;
  if (needed.every((name) => scopes.includes(name))) return;
  const noun = needed.length > 1 ? "scopes" : "scope";
  throw new Fault(
    "forbidden",
    `This requires an API key with the ${noun} ${needed.join(" and ")}.`,
  );
}

/** A signed-in user, a visitor of a customer's site, or the service itself. */
export type Actor =
  | {
      kind: "user";
      userId: string;
      tokenId: string;
      /** The scopes of an API key; undefined: everything that its user may do. */
      scopes?: readonly string[] | undefined;
      /** The one project that an API key can see; undefined: all that its user can. */
      projectId?: string | undefined;
      /** The operator requires a second factor, and the user has none yet. */
      lacksFactor?: boolean | undefined;
      /** The roles on a document that allow the request: those of its route's right. */
      roles?: readonly string[] | undefined;
    }
  | { kind: "visitor" }
  | {
      kind: "system";
      name: string;
      /** The session of the operator who acts as the service. */
      session?: { userId: string; tokenId: string };
    };

/** The documents that a query may see. Every store takes one. */
export type Scope =
  | {
      kind: "user";
      userId: string;
      /** Restricts the scope to this project and what belongs to it. */
      projectId?: string | undefined;
      /** The roles on a document that allow the operation, unless the verb names another right. */
      roles?: readonly string[] | undefined;
    }
  | { kind: "system" };

/** The scope of an actor, made once for each request or job. A visitor sees only published content. */
export function toScope(actor: Actor): Scope {
  if (actor.kind === "system") return { kind: "system" };
  if (actor.kind === "visitor") return { kind: "user", userId: "", roles: [] };
  return { kind: "user", userId: actor.userId, projectId: actor.projectId, roles: actor.roles };
}

/** The actor's name in `createdBy`, `updatedBy` and the audit trail: a user's id. */
export function toActorName(actor: Actor): string {
  if (actor.kind === "user") return actor.userId;
  return actor.kind === "system" ? (actor.session?.userId ?? actor.name) : "visitor";
}

/** The id of the actor's session or API key; null without one. */
export function toTokenId(actor: Actor): string | null {
  if (actor.kind === "user") return actor.tokenId || null;
  return actor.kind === "system" ? (actor.session?.tokenId ?? null) : null;
}

/** Who acts: a signed-in user, a visitor of a customer's site, or the service itself. */
export type Actor =
  | {
      kind: "user";
      userId: string;
      tokenId: string;
      /** Of an API key, what it may do; undefined: all that its user may. */
      scopes?: readonly string[] | undefined;
      /** Of an API key, the one project that it sees; undefined: all that its user sees. */
      projectId?: string | undefined;
      /** Whether the operator requires a second factor that the user of this session has yet to add. */
      lacksFactor?: boolean | undefined;
      /** Which roles on a document allow what the request does: those of its route's right. */
      roles?: readonly string[] | undefined;
    }
  | { kind: "visitor" }
  | { kind: "system"; name: string };

/** What a query may see: what the user has rights to, or everything. Every store takes one. */
export type Scope =
  | {
      kind: "user";
      userId: string;
      /** Nothing but this project and what belongs to it. */
      projectId?: string | undefined;
      /** Which roles on a document allow what is being done, where no verb names another right. */
      roles?: readonly string[] | undefined;
    }
  | { kind: "system" };

/** The scope of an actor, made once for a request or a job. A visitor sees what is published only. */
export function toScope(actor: Actor): Scope {
  if (actor.kind === "system") return { kind: "system" };
  if (actor.kind === "visitor") return { kind: "user", userId: "", roles: [] };
  return { kind: "user", userId: actor.userId, projectId: actor.projectId, roles: actor.roles };
}

/** How an actor is written in `createdBy`, `updatedBy` and the audit trail: a user by id. */
export function toActorName(actor: Actor): string {
  if (actor.kind === "user") return actor.userId;
  return actor.kind === "system" ? actor.name : "visitor";
}

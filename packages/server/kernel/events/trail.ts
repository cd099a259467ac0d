import { Type, type Static } from "typebox";
import type { Counters } from "../counters.ts";
import type { TrailRow } from "./events-store.ts";

/** An entry of the audit trail. */
export const TrailEntry = Type.Object({
  id: Type.String(),
  at: Type.String({ format: "date-time" }),
  event: Type.String({ description: "The name of the event, such as `project.updated`." }),
  actor: Type.Object({
    id: Type.String({ description: "A user's id, or the part of the service that acted." }),
    displayName: Type.Optional(Type.String()),
    email: Type.Optional(Type.String()),
    tokenId: Type.Optional(Type.String({ description: "The session or API key, by its id." })),
  }),
  organizationId: Type.Optional(Type.String()),
  projectId: Type.Optional(Type.String()),
  documentId: Type.Optional(Type.String()),
  network: Type.Optional(
    Type.String({
      description:
        "The network of the request: an IPv4 /24 or an IPv6 /48, never a full address. Absent for jobs.",
    }),
  ),
  requestId: Type.Optional(Type.String()),
  details: Type.Object(
    {},
    { additionalProperties: true, description: "Ids, versions and names; no content, no secret." },
  ),
});
export type TrailEntry = Static<typeof TrailEntry>;

export function toTrailEntry(row: TrailRow, { events }: Pick<Counters, "events">): TrailEntry {
  return {
    id: events.toText(row.id),
    at: row.created_at.toISOString(),
    event: row.name,
    actor: {
      id: row.actor,
      ...(row.display_name === null ? {} : { displayName: row.display_name }),
      ...(row.email === null ? {} : { email: row.email }),
      ...(row.token_id === null ? {} : { tokenId: row.token_id }),
    },
    ...(row.organization_id === null ? {} : { organizationId: row.organization_id }),
    ...(row.project_id === null ? {} : { projectId: row.project_id }),
    ...(row.document_id === null ? {} : { documentId: row.document_id }),
    ...(row.network === null ? {} : { network: row.network }),
    ...(row.request_id === null ? {} : { requestId: row.request_id }),
    details: row.data as TrailEntry["details"],
  };
}

import { Type } from "typebox";
import { hrefOf, paths } from "@avow/contract/urls";
import { toScope } from "../../../kernel/actor.ts";
import type { Counters } from "../../../kernel/counters.ts";
import { CursorQueryIn, cursorListOf } from "../../../http/lists/cursors.ts";
import type { Http } from "../../../http/http.ts";
import type { VaultApp } from "../documents/vault.ts";
import { type Activity, listActivity } from "./activity.ts";
import { activityKindNames } from "./activity-kinds.ts";

const Person = Type.Object({
  id: Type.String({ description: "A user's id, or the part of the service that acted." }),
  name: Type.Optional(
    Type.String({ description: "Absent for the service, and for users who are no members." }),
  ),
});

const ActivityOut = Type.Object(
  {
    id: Type.String(),
    at: Type.String({ format: "date-time" }),
    event: Type.String({ description: "The name of the event, such as `configuration.updated`." }),
    actor: Person,
    member: Type.Optional(Person),
    document: Type.Optional(
      Type.Object({
        id: Type.String(),
        resource: Type.Optional(Type.String({ description: "Absent for jobs and erasures." })),
        title: Type.Optional(Type.String({ description: "Its current title." })),
      }),
    ),
    details: Type.Object(
      {},
      { additionalProperties: true, description: "Versions, roles and counts." },
    ),
  },
  { title: "Activity" },
);

const ActivityQueryIn = Type.Object({
  ...CursorQueryIn.properties,
  projectId: Type.String({ minLength: 1, maxLength: 64 }),
  kind: Type.Optional(Type.Enum(activityKindNames)),
  person: Type.Optional(Type.String({ maxLength: 64, description: "The acting user's id." })),
});

/** Registers what happened in a project, for all who may read it. */
export function registerActivityRoute(http: Http, app: VaultApp): void {
  http.get(
    paths.activity,
    {
      schema: {
        tags: ["vault"],
        operationId: "listActivity",
        summary: "List what happened in a project, newest first",
        description:
          "The events of the audit trail that are about the project's work, with the names of people and documents. It has no networks, sessions or addresses, and no events about keys, links and webhooks: the audit trail has these, for owners and auditors. The actor of a publication is the user who requested it.",
        querystring: ActivityQueryIn,
        response: { 200: cursorListOf(ActivityOut) },
      },
    },
    async (req) => {
      const { cursor, ...filters } = req.query;
      const { kind, person, ...rest } = filters;
      const request = { ...rest, kind, person, cursor };
      const { items, next } = await listActivity(app, toScope(req.actor), request);
      const at = (from: string | undefined) =>
        hrefOf(app.publicUrl, paths.activity, {}, { ...filters, cursor: from });
      return {
        items: items.map((one) => toActivityOut(one, app.counters)),
        links: { self: at(cursor), ...(next === undefined ? {} : { next: at(next) }) },
      };
    },
  );
}

const toPersonOut = ({ id, name }: Activity["actor"]) => ({
  id,
  ...(name === undefined ? {} : { name }),
});

function toActivityOut(
  { row, actor, member, document, details }: Activity,
  { events }: Pick<Counters, "events">,
) {
  const { document_id: documentId } = row;
  return {
    id: events.toText(row.id),
    at: row.created_at.toISOString(),
    event: row.name,
    actor: toPersonOut(actor),
    ...(member ? { member: toPersonOut(member) } : {}),
    ...(documentId === null
      ? {}
      : {
          document: {
            id: documentId,
            ...(document ? { resource: document.resource } : {}),
            ...(document?.title ? { title: document.title } : {}),
          },
        }),
    details,
  };
}

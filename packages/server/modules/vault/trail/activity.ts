import type { Scope } from "../../../kernel/actor.ts";
import type { Counters } from "../../../kernel/counters.ts";
import { type TrailRow, listEvents } from "../../../kernel/events/events-store.ts";
import { type CursorPage, toCursorPage } from "../../../kernel/page.ts";
import type { Db } from "../../../platform/db/db.ts";
import { getProject } from "../documents/access.ts";
import { type TitledRow, listMemberNames, listTitles } from "./activity-store.ts";
import { type ActivityKind, activityDetails, activityKinds } from "./activity-kinds.ts";
import { toAfter } from "./trail.ts";

export interface ActivityRequest {
  projectId: string;
  kind: ActivityKind | undefined;
  /** A user's id. */
  person: string | undefined;
  limit: number;
  cursor: string | undefined;
}

/** A person, or a part of the service. */
interface Person {
  id: string;
  /** Undefined for a part of the service, a deleted account, and a user whom the others do not see. */
  name: string | undefined;
}

/** An event of the audit trail, with the names of what it is about. */
export interface Activity {
  row: TrailRow;
  actor: Person;
  /** The user whose roles changed. */
  member: Person | undefined;
  document: TitledRow | undefined;
  details: Record<string, unknown>;
}

/**
 * A page of what happened in a project, newest first, for all who may read the project.
 * @throws Fault not-found, forbidden, invalid for a cursor of another list
 */
export async function listActivity(
  { db, counters }: { db: Db; counters: Counters },
  scope: Scope,
  { projectId, kind, person, limit, cursor }: ActivityRequest,
): Promise<CursorPage<Activity>> {
  await getProject(db, scope, projectId);
  const names = kind ? activityKinds[kind] : Object.values(activityKinds).flat();
  const after = toAfter(cursor, counters);
  const query = {
    of: { projectId },
    names,
    person,
    after,
    order: "desc",
    limit: limit + 1,
  } as const;
  const rows = await listEvents(db, query);
  const ids = rows.flatMap(({ document_id: id }) => id ?? []);
  const userIds = rows.flatMap(listUserIds);
  const [documents, users] = await Promise.all([
    listTitles(db, { projectId, ids: [...new Set(ids)] }),
    listMemberNames(db, { projectId, ids: [...new Set(userIds)] }),
  ]);
  const documentOf = new Map(documents.map((one) => [one.id, one]));
  const nameOf = new Map(users.map((one) => [one.id, one.name]));
  return toCursorPage(rows, limit, {
    keyOf: (row) => [row.created_at.toISOString(), counters.events.toText(row.id)],
    toItem: (row): Activity => ({
      row,
      actor: toActor(row, nameOf),
      member: toPerson(dataOf(row)["userId"], nameOf),
      document: documentOf.get(row.document_id ?? ""),
      details: toDetails(row),
    }),
  });
}

const dataOf = ({ data }: TrailRow) => data as Record<string, unknown>;

function listUserIds(row: TrailRow): string[] {
  const { userId, requestedBy } = dataOf(row);
  return [row.actor, userId, requestedBy].filter((id) => typeof id === "string");
}

function toPerson(id: unknown, nameOf: ReadonlyMap<string, string>): Person | undefined {
  return typeof id === "string" ? { id, name: nameOf.get(id) } : undefined;
}

/** The job of a publication acts for the user who requested it. */
function toActor(row: TrailRow, nameOf: ReadonlyMap<string, string>): Person {
  const requester = row.name.startsWith("publish.")
    ? toPerson(dataOf(row)["requestedBy"], nameOf)
    : undefined;
  return requester ?? { id: row.actor, name: nameOf.get(row.actor) };
}

function toDetails(row: TrailRow): Record<string, unknown> {
  const data = dataOf(row);
  // A publication has a reason, too: a text of its own.
  const shown = activityDetails.filter((key) => key !== "reason" || row.name === "consent.erased");
  return Object.fromEntries(shown.flatMap((key) => (key in data ? [[key, data[key]]] : [])));
}

import type { Scope } from "../../../kernel/actor.ts";
import type { Counters } from "../../../kernel/counters.ts";
import type { Db } from "../../../platform/db/db.ts";
import { Fault } from "../../../platform/errors.ts";
import { type TrailQuery, type TrailRow, listEvents } from "../../../kernel/events/events-store.ts";
import {
  type CursorPage,
  parseTimeCursor,
  toCursorFault,
  toCursorPage,
} from "../../../kernel/page.ts";
import { getDocument } from "../documents/access.ts";

export interface TrailRequest extends Omit<TrailQuery, "of" | "order" | "after"> {
  organizationId: string | undefined;
  projectId: string | undefined;
  cursor: string | undefined;
}

/**
 * A page of the audit trail of an organization with all its projects, or of one project, newest first.
 * @throws Fault invalid unless exactly one of the two is given, or for a cursor of another list; not-found, forbidden
 */
export async function listTrail(
  { db, counters }: { db: Db; counters: Counters },
  scope: Scope,
  { organizationId, projectId, cursor, ...filters }: TrailRequest,
): Promise<CursorPage<TrailRow>> {
  const of = await getSubject(db, scope, { organizationId, projectId });
  const { limit } = filters;
  const query: TrailQuery = {
    ...filters,
    of,
    order: "desc",
    after: toAfter(cursor, counters),
    limit: limit + 1,
  };
  return toCursorPage(await listEvents(db, query), limit, {
    keyOf: (row) => [row.created_at.toISOString(), counters.events.toText(row.id)],
    toItem: (row) => row,
  });
}

async function getSubject(
  db: Db,
  scope: Scope,
  { organizationId, projectId }: Pick<TrailRequest, "organizationId" | "projectId">,
): Promise<TrailQuery["of"]> {
  if (projectId !== undefined && organizationId === undefined) {
    await getDocument(db, scope, { resource: "projects", id: projectId });
    return { projectId };
  }
  if (organizationId !== undefined && projectId === undefined) {
    await getDocument(db, scope, { resource: "organizations", id: organizationId });
    return { organizationId };
  }
  const message = "or ?projectId is required, but not both";
  const faults = [{ path: "?organizationId", message }];
  throw new Fault("invalid", `?organizationId ${message}.`, { faults });
}

/** The event of a cursor. Throws `Fault` invalid for a cursor of another list. */
export function toAfter(cursor: string | undefined, { events }: Counters): TrailQuery["after"] {
  const key = parseTimeCursor(cursor);
  if (!key) return undefined;
  const id = events.parse(key.id);
  if (id === undefined) throw toCursorFault();
  return { at: key.createdAt, id };
}

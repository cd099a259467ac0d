import type { Scope } from "../../../kernel/actor.ts";
import type { Db } from "../../../platform/db/db.ts";
import { Fault } from "../../../platform/errors.ts";
import { type TrailQuery, type TrailRow, listEvents } from "../../../kernel/events/events-store.ts";
import { type CursorPage, parseCursor, toCursorFault, toCursorPage } from "../../../kernel/page.ts";
import { getDocument } from "../documents/access.ts";

export interface TrailAsked extends Omit<TrailQuery, "of" | "order" | "after"> {
  organizationId: string | undefined;
  projectId: string | undefined;
  cursor: string | undefined;
}

/**
 * A page of the audit trail of an organization, with all of its projects, or of a project, newest first.
 * @throws Fault invalid unless one of the two is named, or for a cursor that is not of this list; not-found, forbidden
 */
export async function listTrail(
  db: Db,
  scope: Scope,
  { organizationId, projectId, cursor, ...asked }: TrailAsked,
): Promise<CursorPage<TrailRow>> {
  const of = await getSubject(db, scope, { organizationId, projectId });
  const { limit } = asked;
  const query: TrailQuery = {
    ...asked,
    of,
    order: "desc",
    after: toAfter(cursor),
    limit: limit + 1,
  };
  return toCursorPage(await listEvents(db, query), limit, {
    keyOf: (row) => [row.created_at.toISOString(), String(row.id)],
    toItem: (row) => row,
  });
}

async function getSubject(
  db: Db,
  scope: Scope,
  { organizationId, projectId }: Pick<TrailAsked, "organizationId" | "projectId">,
): Promise<TrailQuery["of"]> {
  if (projectId !== undefined && organizationId === undefined) {
    await getDocument(db, scope, { resource: "projects", id: projectId });
    return { projectId };
  }
  if (organizationId !== undefined && projectId === undefined) {
    await getDocument(db, scope, { resource: "organizations", id: organizationId });
    return { organizationId };
  }
  const message = "is needed, or ?projectId; one of the two";
  const faults = [{ path: "?organizationId", message }];
  throw new Fault("invalid", `?organizationId ${message}.`, { faults });
}

function toAfter(cursor: string | undefined): TrailQuery["after"] {
  const key = parseCursor(cursor, 2);
  if (!key) return undefined;
  const [at, id] = [new Date(key[0] ?? ""), Number(key[1])];
  if (Number.isNaN(at.getTime()) || !Number.isSafeInteger(id)) throw toCursorFault();
  return { at, id };
}

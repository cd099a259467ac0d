import type { Scope } from "../../../kernel/actor.ts";
import type { DataCtx } from "../../../kernel/ctx.ts";
import { noteEvent } from "../../../kernel/events/outbox.ts";
import { newDocumentId } from "../../../kernel/ids.ts";
import { type CursorPage, parseCursor, toCursorPage } from "../../../kernel/page.ts";
import type { DataDb, Planes } from "../../../platform/db/db.ts";
import { Fault } from "../../../platform/errors.ts";
import { getProject } from "../../vault/documents/access.ts";
import { type TokenKey, lockTokenErasing } from "../states/token-locks-store.ts";
import {
  type RequestRow,
  findRequestOf,
  insertRequest,
  listRequestsBefore,
  listRequestRows,
  updateDeclined,
} from "./requests-store.ts";

/** A person's request to have the data of their token erased. */
export interface ErasureRequest {
  id: string;
  projectId: string;
  token: string;
  requestedAt: Date;
  /** A month after the request (GDPR, article 12(3)). */
  dueAt: Date;
  /** When the project closed it without an erasure; undefined while it is open. */
  declinedAt: Date | undefined;
}

/**
 * Stores a person's request for erasure, and records it in the audit trail, which notifies the owners. Idempotent while
 * the token has an open request.
 */
export async function requestErasure(ctx: DataCtx, of: TokenKey): Promise<void> {
  const { tx, now } = ctx;
  const { projectId, token } = of;
  await lockTokenErasing(tx, of);
  const id = newDocumentId(now);
  const row = { id, project_id: projectId, token, requested_at: now };
  if (!(await insertRequest(tx, row))) return;
  await noteEvent(ctx, { name: "erasure.requested", projectId, documentId: id });
}

/** The request of a token, open or declined. An erasure deletes it. */
export async function findErasureRequest(
  data: DataDb,
  of: TokenKey,
): Promise<ErasureRequest | undefined> {
  const row = await findRequestOf(data, of);
  return row && toRequest(row);
}

/** Open requests of a project, the first due first. Throws `Fault` as `getProject`, and for an invalid cursor. */
export async function listErasureRequests(
  { db, data }: Planes,
  scope: Scope,
  request: {
    projectId: string;
    token: string | undefined;
    limit: number;
    cursor: string | undefined;
  },
): Promise<CursorPage<ErasureRequest>> {
  const { limit, cursor, ...query } = request;
  await getProject(db, scope, query.projectId);
  const [after] = parseCursor(cursor, 1) ?? [];
  const rows = await listRequestRows(data, { ...query, after }, limit + 1);
  return toCursorPage(rows, limit, { keyOf: ({ id }) => [id], toItem: toRequest });
}

/**
 * Open requests of a bucket's projects that are due before a time, and some that are due up to three days later, in the order of
 * their ids.
 */
export async function listRequestsDueBefore(
  data: DataDb,
  { before, ...page }: { before: Date; after: string; limit: number },
): Promise<ErasureRequest[]> {
  // A month has 28 days at least.
  const requestedBefore = new Date(before.getTime() - 28 * 86_400_000);
  const rows = await listRequestsBefore(data, { ...page, before: requestedBefore });
  return rows.map(toRequest);
}

/**
 * Closes a request without an erasure. The project explains the reason to the person (GDPR, article 12(4)).
 * @throws Fault not-found without an open request of this id
 */
export async function declineErasure(
  ctx: DataCtx,
  { projectId, id }: { projectId: string; id: string },
): Promise<void> {
  if (!(await updateDeclined(ctx.tx, { projectId, id, now: ctx.now })))
    throw new Fault("not-found", `The project has no open request ${id}.`);
  await noteEvent(ctx, { name: "erasure.declined", projectId, documentId: id });
}

function toRequest(row: RequestRow): ErasureRequest {
  return {
    id: row.id,
    projectId: row.project_id,
    token: row.token,
    requestedAt: row.requested_at,
    dueAt: toDueAt(row.requested_at),
    declinedAt: row.declined_at ?? undefined,
  };
}

/** The last day to answer a request: the same day of the next month in UTC, or its last day (GDPR, article 12(3)). */
export function toDueAt(date: Date): Date {
  const due = new Date(date);
  due.setUTCMonth(due.getUTCMonth() + 1);
  // 31 January plus a month is a day of March.
  if (due.getUTCDate() !== date.getUTCDate()) due.setUTCDate(0);
  return due;
}

import type { Scope } from "../../../kernel/actor.ts";
import type { DataCtx } from "../../../kernel/ctx.ts";
import { noteEvent } from "../../../kernel/events/outbox.ts";
import { newDocumentId } from "../../../kernel/ids.ts";
import { type CursorPage, parseCursor, toCursorPage } from "../../../kernel/page.ts";
import type { Planes } from "../../../platform/db/db.ts";
import { Fault } from "../../../platform/errors.ts";
import { getProject } from "../../vault/documents/access.ts";
import { type TokenKey, lockTokenErasing } from "../states/token-locks-store.ts";
import {
  type ProposalRow,
  deleteProposalOf,
  hasTokenData,
  insertProposal,
  listProposalRows,
} from "./proposals-store.ts";
import { toDueAt } from "./requests.ts";

/** Validity of a proposal. */
const PROPOSED_MS = 14 * 86_400_000;

/** An erasure that a second person confirms or rejects. */
export interface ErasureProposal {
  id: string;
  projectId: string;
  token: string;
  /** The user, or the user of the API key. */
  proposedBy: string;
  proposedAt: Date;
  expiresAt: Date;
  /** When the person's own request has to be answered; undefined without an open request. */
  dueAt: Date | undefined;
}

/**
 * Proposes the erasure of a token. Returns the open proposal if the token has one.
 * @throws Fault not-found without any data of the token
 */
export async function proposeErasure(ctx: DataCtx, of: TokenKey): Promise<ErasureProposal> {
  const { tx, now, actor } = ctx;
  const { projectId, token } = of;
  await lockTokenErasing(tx, of);
  if (!(await hasTokenData(tx, of)))
    throw new Fault("not-found", `The project has no data of the token ${token}.`);
  const id = newDocumentId(now);
  const row = {
    id,
    project_id: projectId,
    token,
    proposed_by: actor.kind === "user" ? actor.userId : "",
    proposed_at: now,
    expires_at: new Date(now.getTime() + PROPOSED_MS),
  };
  if (await insertProposal(tx, row))
    await noteEvent(ctx, { name: "erasure.proposed", projectId, documentId: id });
  const [open] = await listProposalRows(tx, { projectId, now, token }, 1);
  return toProposal(open ?? { ...row, requested_at: null });
}

/** Open proposals of a project, oldest first. Throws `Fault` as `getProject`, and for an invalid cursor. */
export async function listErasureProposals(
  { db, data }: Planes,
  scope: Scope,
  request: {
    projectId: string;
    token: string | undefined;
    now: Date;
    limit: number;
    cursor: string | undefined;
  },
): Promise<CursorPage<ErasureProposal>> {
  const { limit, cursor, ...query } = request;
  await getProject(db, scope, query.projectId);
  const [after] = parseCursor(cursor, 1) ?? [];
  const rows = await listProposalRows(data, { ...query, after }, limit + 1);
  return toCursorPage(rows, limit, { keyOf: ({ id }) => [id], toItem: toProposal });
}

/**
 * The open proposal of an id. Erasures of its token wait until the transaction ends, so that one decision counts.
 * @throws Fault not-found without an open proposal of this id
 */
export async function getProposalToDecide(
  { tx, now }: DataCtx,
  { projectId, id }: { projectId: string; id: string },
): Promise<ErasureProposal> {
  const find = async () => (await listProposalRows(tx, { projectId, now, id }, 1))[0];
  const found = await find();
  if (found) await lockTokenErasing(tx, { projectId, token: found.token });
  const locked = found && (await find());
  if (!locked) throw new Fault("not-found", `The project has no open proposal ${id}.`);
  return toProposal(locked);
}

/** Closes a proposal without an erasure. Throws `Fault` as `getProposalToDecide`. */
export async function rejectErasure(
  ctx: DataCtx,
  of: { projectId: string; id: string },
): Promise<void> {
  const { projectId, id, token } = await getProposalToDecide(ctx, of);
  await deleteProposalOf(ctx.tx, { projectId, token });
  await noteEvent(ctx, { name: "erasure.rejected", projectId, documentId: id });
}

function toProposal(row: ProposalRow): ErasureProposal {
  return {
    id: row.id,
    projectId: row.project_id,
    token: row.token,
    proposedBy: row.proposed_by,
    proposedAt: row.proposed_at,
    expiresAt: row.expires_at,
    dueAt: row.requested_at === null ? undefined : toDueAt(row.requested_at),
  };
}

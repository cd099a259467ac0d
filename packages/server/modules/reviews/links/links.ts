import { type Scope, toActorName } from "../../../kernel/actor.ts";
import type { Ctx } from "../../../kernel/ctx.ts";
import { recordEvent } from "../../../kernel/events/events.ts";
import { newDocumentId } from "../../../kernel/ids.ts";
import { type CursorPage, parseTimeCursor, toCursorPage } from "../../../kernel/page.ts";
import { hashToken, newOneTimeToken } from "../../../platform/crypto/tokens.ts";
import type { Db } from "../../../platform/db/db.ts";
import { Fault } from "../../../platform/errors.ts";
import { getProject } from "../../vault/documents/access.ts";
import { readSettings } from "../approvals/counting.ts";
import { toWrittenText } from "../written-text.ts";
import {
  type LinkRow,
  countValidLinks,
  findLink,
  findLinkByHash,
  insertLink,
  listLinkRows,
  updateRevoked,
  updateUsed,
} from "./links-store.ts";

export type { LinkRow } from "./links-store.ts";

const LINKS_MAX = 50;
const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

/**
 * Creates a link to the review page of a project, for a person without an account. `token` has 256 random bits, is part
 * of the address, and is stored only as its SHA-256.
 * @throws Fault not-found; forbidden, also for a link that approves by others than owners; conflict beyond 50 valid
 *   links, and for a link that approves where the project's settings do not count them
 */
export async function createLink(
  ctx: Ctx,
  request: {
    projectId: string;
    recipient: string;
    days: number;
    mayComment: boolean;
    mayApprove: boolean;
  },
): Promise<{ link: LinkRow; token: string }> {
  const { projectId, mayComment, mayApprove } = request;
  await getProject(ctx.tx, ctx.scope, projectId, mayApprove ? "own" : undefined);
  if (mayApprove && !(await readSettings(ctx.tx, projectId)).links)
    throw new Fault(
      "conflict",
      "Approvals by review links do not count in this project. Change its settings for approvals first.",
    );
  if ((await countValidLinks(ctx.tx, { projectId, now: ctx.now })) >= LINKS_MAX)
    throw new Fault(
      "conflict",
      `A project has at most ${LINKS_MAX} valid links. Revoke one first.`,
    );
  const { token, hash } = newOneTimeToken();
  const link = await insertLink(ctx.tx, {
    id: newDocumentId(ctx.now),
    hash,
    project_id: projectId,
    recipient: toWrittenText(request.recipient, "/recipient"),
    may_comment: mayComment,
    may_approve: mayApprove,
    created_at: ctx.now,
    created_by: toActorName(ctx.actor),
    expires_at: new Date(ctx.now.getTime() + request.days * DAY_MS),
  });
  await recordEvent(ctx, {
    name: "review-link.created",
    projectId,
    documentId: link.id,
    data: { mayComment, mayApprove, expiresAt: link.expires_at.toISOString() },
  });
  return { link, token };
}

/** A page of a project's links, newest first, also those that ended. Throws `Fault` not-found, forbidden, invalid. */
export async function listLinks(
  db: Db,
  scope: Scope,
  request: { projectId: string; limit: number; cursor: string | undefined },
): Promise<CursorPage<LinkRow>> {
  const { projectId, limit, cursor } = request;
  await getProject(db, scope, projectId);
  const before = parseTimeCursor(cursor);
  const rows = await listLinkRows(db, { projectId, before }, limit + 1);
  return toCursorPage(rows, limit, {
    keyOf: (row) => [row.created_at.toISOString(), row.id],
    toItem: (row) => row,
  });
}

/**
 * Revokes a link. Its page is gone at once, and approvals by it no longer count. Nothing happens if it was revoked before.
 * @throws Fault not-found, forbidden
 */
export async function revokeLink(
  ctx: Ctx,
  key: { projectId: string; linkId: string },
): Promise<void> {
  await getProject(ctx.tx, ctx.scope, key.projectId);
  const link = await findLink(ctx.tx, key);
  if (!link) throw new Fault("not-found", `The project has no review link ${key.linkId}.`);
  const { projectId } = key;
  const revoked = await updateRevoked(ctx.tx, { projectId, linkId: link.id }, ctx.now);
  await recordRevoked(ctx, projectId, revoked);
}

/** Revokes all links of a project, of which at most 50 are valid. The caller has checked the rights. */
export async function revokeLinks(ctx: Ctx, projectId: string): Promise<void> {
  await recordRevoked(ctx, projectId, await updateRevoked(ctx.tx, { projectId }, ctx.now));
}

async function recordRevoked(ctx: Ctx, projectId: string, ids: readonly string[]): Promise<void> {
  for (const documentId of ids)
    await recordEvent(ctx, { name: "review-link.revoked", projectId, documentId });
}

/** The valid link of a token; undefined for an unknown, expired or revoked one. */
export async function findValidLink(
  db: Db,
  { token, now }: { token: string; now: Date },
): Promise<LinkRow | undefined> {
  return findLinkByHash(db, { hash: hashToken(token), now });
}

/** Stores the last use of a link, at most once a minute. */
export async function markUsed(db: Db, { id }: LinkRow, now: Date): Promise<void> {
  await updateUsed(db, { id, now, before: new Date(now.getTime() - MINUTE_MS) });
}

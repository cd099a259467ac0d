import type { Scope } from "../../../kernel/actor.ts";
import { toActorName } from "../../../kernel/actor.ts";
import type { Ctx } from "../../../kernel/ctx.ts";
import type { Db, Tx } from "../../../platform/db/db.ts";
import { Fault } from "../../../platform/errors.ts";
import { recordEvent } from "../../../kernel/events/events.ts";
import { newDocumentId } from "../../../kernel/ids.ts";
import { type CursorPage, parseCursor, toCursorPage } from "../../../kernel/page.ts";
import { hashToken, newOneTimeToken } from "../../../platform/crypto/tokens.ts";
import { getProject } from "../../vault/documents/access.ts";
import { lockTokenErasing } from "../states/token-locks-store.ts";
import {
  type LinkRow,
  closePage,
  deleteLink,
  deleteLinksBeyond,
  findLinkByHash,
  findLinkToken,
  insertLink,
  isClosed,
  isSeen,
  listLinkRows,
  reopenPage,
} from "./links-store.ts";

/** A link to a person's page; what it is opened with was answered once. */
export interface Link {
  id: string;
  projectId: string;
  token: string;
  /** A user's id, or `visitor`. */
  createdBy: string;
  createdAt: Date;
  expiresAt: Date;
}

/** Who has no more than a token, as `createdBy` names them. */
const VISITOR = toActorName({ kind: "visitor" });
const DAY_MS = 86_400_000;
const DEFAULT_DAYS = 30;
const DAYS_MAX = 366;
/**
 * Of a token, the newest that visitors made, and the newest of the others: who makes another ends the oldest of the
 * same kind. Whoever knows a token may make links, and must not end with them what was mailed.
 */
const LINKS_MAX = 20;

/**
 * Makes a link: for who knows the token of a visitor, or may bring in the project's consents. `secret` has 256
 * random bits, is part of the address, and is not kept. One that the project makes lets visitors make theirs again,
 * where it had revoked one.
 * @throws Fault not-found without the project, or anything of the token; forbidden as the project's, and for visitors
 *   as `assertForVisitors`; invalid for an end that is past or more than 366 days ahead
 */
export async function createLink(
  ctx: Ctx,
  asked: { projectId: string; token: string; expiresAt: Date | undefined },
): Promise<{ link: Link; secret: string }> {
  const { tx, now, actor } = ctx;
  const { projectId, token } = asked;
  const isUser = actor.kind === "user";
  // Who erases the token, or revokes a link of it, waits for this, or comes first.
  await lockTokenErasing(tx, { projectId, token });
  if (isUser) await getProject(tx, ctx.scope, projectId);
  else await assertForVisitors(tx, { projectId, token });
  const expiresAt = toEnd(asked.expiresAt, now);
  if (!(await isSeen(tx, { projectId, token })))
    throw new Fault("not-found", "The project has nothing of this token.");
  const { token: secret, hash } = newOneTimeToken();
  const id = newDocumentId(now);
  const createdBy = toActorName(actor);
  const link = { id, projectId, token, createdBy, createdAt: now, expiresAt };
  await insertLink(tx, {
    id,
    hash,
    project_id: projectId,
    token,
    created_by: createdBy,
    created_at: now,
    expires_at: expiresAt,
  });
  await deleteLinksBeyond(tx, { projectId, token, isVisitors: !isUser, max: LINKS_MAX });
  // What visitors make, anybody can make: the row itself says so, as records do.
  if (isUser) {
    await reopenPage(tx, { projectId, token });
    await recordEvent(ctx, { name: "link.created", projectId, documentId: id });
  }
  return { link, secret };
}

/**
 * Throws where a project lets nobody in who has a visitor's token alone: tokens that can be guessed, such as customers'
 * numbers, would do; or not with this token, one of whose links it has revoked: the receipts of that page tell the token.
 * @throws Fault not-found without the project; forbidden where its `personPage.visitorLinks` is false, or it revoked
 */
export async function assertForVisitors(
  db: Db | Tx,
  { projectId, token }: { projectId: string; token: string },
): Promise<void> {
  if (!(await isForVisitors(db, projectId)))
    throw new Fault(
      "forbidden",
      "The project gives no links to who has a token alone: ask its site.",
    );
  if (await isClosed(db, { projectId, token }))
    throw new Fault(
      "forbidden",
      "The project has revoked a link of this token, and gives others itself: ask its site.",
    );
}

/** Whether who has a visitor's token alone may make links. Throws `Fault` not-found without the project. */
async function isForVisitors(db: Db | Tx, projectId: string): Promise<boolean> {
  const { body } = await getProject(db, { kind: "system" }, projectId);
  const { personPage } = body as { personPage?: { visitorLinks?: boolean } };
  return personPage?.visitorLinks !== false;
}

function toEnd(asked: Date | undefined, now: Date): Date {
  const expiresAt = asked ?? new Date(now.getTime() + DEFAULT_DAYS * DAY_MS);
  const aheadMs = expiresAt.getTime() - now.getTime();
  if (aheadMs > 0 && aheadMs <= DAYS_MAX * DAY_MS) return expiresAt;
  const message = `must be after now, and at most ${DAYS_MAX} days`;
  throw new Fault("invalid", `/expiresAt ${message}.`, {
    faults: [{ path: "/expiresAt", message }],
  });
}

/**
 * The link that a secret opens; undefined where there is none, it was revoked or has ended, or a visitor made it and
 * the project lets visitors make none by now.
 */
export async function findLink(
  db: Db,
  { projectId, secret, now }: { projectId: string; secret: string; now: Date },
): Promise<Link | undefined> {
  const row = await findLinkByHash(db, { projectId, hash: hashToken(secret), now });
  const link = row && toLink(row);
  if (link?.createdBy === VISITOR && !(await isForVisitors(db, projectId))) return undefined;
  return link;
}

/** Links of a project that have not ended, newest first. Throws `Fault` as `getProject`, and for a cursor. */
export async function listLinks(
  db: Db,
  scope: Scope,
  asked: {
    projectId: string;
    token: string | undefined;
    now: Date;
    limit: number;
    cursor: string | undefined;
  },
): Promise<CursorPage<Link>> {
  const { limit, cursor, ...query } = asked;
  await getProject(db, scope, asked.projectId);
  const [before] = parseCursor(cursor, 1) ?? [];
  const rows = await listLinkRows(db, { ...query, before }, limit + 1);
  return toCursorPage(rows, limit, { keyOf: ({ id }) => [id], toItem: toLink });
}

/**
 * Ends a link at once, and what visitors made of its token: who had it has the token too, by its receipts, and makes no
 * other until the project does. Throws `Fault` not-found without it, and as `getProject`.
 */
export async function revokeLink(
  ctx: Ctx,
  { projectId, id }: { projectId: string; id: string },
): Promise<void> {
  const { tx, now } = ctx;
  await getProject(tx, ctx.scope, projectId);
  const token = await findLinkToken(tx, { projectId, id });
  if (token !== undefined) await lockTokenErasing(tx, { projectId, token });
  if (token === undefined || !(await deleteLink(tx, { projectId, id })))
    throw new Fault("not-found", `The project has no link ${id}.`);
  await closePage(tx, { projectId, token, now });
  await recordEvent(ctx, { name: "link.revoked", projectId, documentId: id });
}

/** Ends a link for who has it. */
export async function endLink({ tx }: Ctx, { projectId, id }: Link): Promise<void> {
  await deleteLink(tx, { projectId, id });
}

function toLink(row: LinkRow): Link {
  return {
    id: row.id,
    projectId: row.project_id,
    token: row.token,
    createdBy: row.created_by,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
  };
}

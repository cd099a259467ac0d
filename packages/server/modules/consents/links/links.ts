import { type Actor, type Scope, toActorName, toScope } from "../../../kernel/actor.ts";
import type { DataCtx } from "../../../kernel/ctx.ts";
import type { DataDb, Db, Planes } from "../../../platform/db/db.ts";
import { Fault } from "../../../platform/errors.ts";
import { noteEvent } from "../../../kernel/events/outbox.ts";
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
  deleteTokenLinks,
  findLinkByHash,
  findLinkToken,
  insertLink,
  isClosed,
  isSeen,
  listLinkRows,
  reopenPage,
} from "./links-store.ts";

/** A link to a person's page, without its secret, which is returned only once. */
export interface Link {
  id: string;
  projectId: string;
  token: string;
  /** A user's id, or `visitor`. */
  createdBy: string;
  createdAt: Date;
  expiresAt: Date;
}

/** `createdBy` of links that visitors created. */
const VISITOR = toActorName({ kind: "visitor" });
const DAY_MS = 86_400_000;
const DEFAULT_DAYS = 30;
const DAYS_MAX = 366;
/**
 * Limit of links of a token that visitors created, and of those that users created: a new link replaces the oldest of
 * the same kind. Separate limits, because anyone who knows a token can create links, which must not invalidate those
 * that the project mailed.
 */
const LINKS_MAX = 20;

/**
 * Creates a link, for a visitor with the token or a user who may add consents to the project. `secret` has 256 random
 * bits, is part of the URL, and is not stored. A link of a user lifts the bar that revoking a link sets for visitors.
 * `assertMayCreateLink` is called before.
 * @throws Fault not-found without any data of the token; forbidden for visitors after the project revoked a link of the
 *   token; invalid for an expiry in the past or more than 366 days ahead
 */
export async function createLink(
  ctx: DataCtx,
  request: { projectId: string; token: string; expiresAt: Date | undefined },
): Promise<{ link: Link; secret: string }> {
  const { tx, now, actor } = ctx;
  const { projectId, token } = request;
  const isUser = actor.kind === "user";
  // Serializes with erasures of the token and revocations of its links.
  await lockTokenErasing(tx, { projectId, token });
  if (!isUser) await assertNotClosed(tx, { projectId, token });
  const expiresAt = toExpiry(request.expiresAt, now);
  if (!(await isSeen(tx, { projectId, token })))
    throw new Fault("not-found", "The project has no data of this token.");
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
  // Links of visitors are not audited: anyone can create them, and their row suffices.
  if (isUser) {
    await reopenPage(tx, { projectId, token });
    await noteEvent(ctx, { name: "link.created", projectId, documentId: id });
  }
  return { link, secret };
}

/**
 * Asserts that a visitor with the token, or a user, may create a link for it.
 * @throws Fault as `assertForVisitors`, or for users as `getProject`
 */
export async function assertMayCreateLink(
  planes: Planes,
  actor: Actor,
  of: { projectId: string; token: string },
): Promise<void> {
  if (actor.kind === "user") await getProject(planes.db, toScope(actor), of.projectId);
  else await assertForVisitors(planes, of);
}

/**
 * Asserts that a visitor's token is enough to create a link. Projects whose tokens can be guessed, such as customer
 * numbers, disable that. Revoking a link disables it for its token, because the page's receipts contain the token.
 * @throws Fault not-found without the project; forbidden where its `personPage.visitorLinks` is false, or it revoked a
 *   link of the token
 */
export async function assertForVisitors(
  { db, data }: Planes,
  { projectId, token }: { projectId: string; token: string },
): Promise<void> {
  if (!(await isForVisitors(db, projectId)))
    throw new Fault(
      "forbidden",
      "This project does not create links from a token alone. Ask its site for a link.",
    );
  await assertNotClosed(data, { projectId, token });
}

async function assertNotClosed(
  db: Planes["data"] | DataCtx["tx"],
  of: { projectId: string; token: string },
): Promise<void> {
  if (await isClosed(db, of))
    throw new Fault(
      "forbidden",
      "The project has revoked a link of this token. Ask its site for a new one.",
    );
}

/** Whether the project lets visitors create links. Throws `Fault` not-found without the project. */
async function isForVisitors(db: Db, projectId: string): Promise<boolean> {
  const { body } = await getProject(db, { kind: "system" }, projectId);
  const { personPage } = body as { personPage?: { visitorLinks?: boolean } };
  return personPage?.visitorLinks !== false;
}

function toExpiry(requested: Date | undefined, now: Date): Date {
  const expiresAt = requested ?? new Date(now.getTime() + DEFAULT_DAYS * DAY_MS);
  const aheadMs = expiresAt.getTime() - now.getTime();
  if (aheadMs > 0 && aheadMs <= DAYS_MAX * DAY_MS) return expiresAt;
  const message = `must be in the future, at most ${DAYS_MAX} days ahead`;
  throw new Fault("invalid", `/expiresAt ${message}.`, {
    faults: [{ path: "/expiresAt", message }],
  });
}

/**
 * The link of a secret. Undefined if it does not exist, was revoked or has expired, or if a visitor created it and the
 * project no longer lets visitors create links.
 */
export async function findLink(
  { db, data }: Planes,
  { projectId, secret, now }: { projectId: string; secret: string; now: Date },
): Promise<Link | undefined> {
  const row = await findLinkByHash(data, { projectId, hash: hashToken(secret), now });
  const link = row && toLink(row);
  if (link && isVisitorLink(link) && !(await isForVisitors(db, projectId))) return undefined;
  return link;
}

/** Unexpired links of a project, newest first. Throws `Fault` as `getProject`, and for an invalid cursor. */
export async function listLinks(
  { db, data }: Planes,
  scope: Scope,
  request: {
    projectId: string;
    token: string | undefined;
    now: Date;
    limit: number;
    cursor: string | undefined;
  },
): Promise<CursorPage<Link>> {
  const { limit, cursor, ...query } = request;
  await getProject(db, scope, query.projectId);
  const [before] = parseCursor(cursor, 1) ?? [];
  const rows = await listLinkRows(data, { ...query, before }, limit + 1);
  return toCursorPage(rows, limit, { keyOf: ({ id }) => [id], toItem: toLink });
}

/**
 * Revokes a link and all links that visitors created for its token. Its holder knows the token from the receipts, so
 * visitors are barred from creating links for it until the project creates one. Throws `Fault` not-found without the
 * link.
 */
export async function revokeLink(
  ctx: DataCtx,
  { projectId, id }: { projectId: string; id: string },
): Promise<void> {
  const { tx, now } = ctx;
  const token = await findLinkToken(tx, { projectId, id });
  if (token !== undefined) await lockTokenErasing(tx, { projectId, token });
  if (token === undefined || !(await deleteLink(tx, { projectId, id })))
    throw new Fault("not-found", `The project has no link ${id}.`);
  await closePage(tx, { projectId, token, now });
  await noteEvent(ctx, { name: "link.revoked", projectId, documentId: id });
}

/** Unexpired links of a token, newest first. */
export async function listLinksOfToken(
  data: DataDb,
  { projectId, token }: Pick<Link, "projectId" | "token">,
  now: Date,
): Promise<Link[]> {
  const query = { projectId, token, before: undefined, now };
  return (await listLinkRows(data, query, 2 * LINKS_MAX)).map(toLink);
}

/** Deletes the links of a token on behalf of the holder of one of them: all, or the one with this id. */
export async function endLinks(
  { tx }: DataCtx,
  { projectId, token }: Pick<Link, "projectId" | "token">,
  id: string | undefined,
): Promise<void> {
  await deleteTokenLinks(tx, { projectId, token, id });
}

/** Whether a visitor created a link, with the token alone. */
export function isVisitorLink({ createdBy }: Pick<Link, "createdBy">): boolean {
  return createdBy === VISITOR;
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

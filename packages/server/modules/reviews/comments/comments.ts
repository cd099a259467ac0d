import { type Scope, toActorName } from "../../../kernel/actor.ts";
import type { Ctx } from "../../../kernel/ctx.ts";
import { recordEvent } from "../../../kernel/events/events.ts";
import { newDocumentId } from "../../../kernel/ids.ts";
import { type CursorPage, parseTimeCursor, toCursorPage } from "../../../kernel/page.ts";
import type { Db, Tx } from "../../../platform/db/db.ts";
import { Fault } from "../../../platform/errors.ts";
import { getProject, listConfigurations } from "../../vault/documents/access.ts";
import { type Author, authorOf, isAuthor, toAuthorColumns, toEventAuthor } from "../authors.ts";
import { toWrittenText } from "../written-text.ts";
import {
  type CommentRow,
  countComments,
  deleteComment,
  findComment,
  insertComment,
  listReplyRows,
  listThreadRows,
  updateComment,
} from "./comments-store.ts";
import type { Anchor } from "./schema.ts";

export type { CommentRow } from "./comments-store.ts";

const COMMENTS_MAX = 5_000;
const REPLIES_MAX = 100;
const EDIT_MS = 15 * 60_000;

export interface Thread extends CommentRow {
  replies: CommentRow[];
}

export interface ThreadsQuery {
  projectId: string;
  status: "open" | "resolved" | undefined;
  configurationId: string | undefined;
  limit: number;
  cursor: string | undefined;
}

interface CommentKey {
  projectId: string;
  commentId: string;
}

/**
 * Starts a thread about a draft, or about a place in it.
 * @throws Fault not-found, forbidden, invalid (an empty text, an unknown configuration), conflict beyond 5,000 comments
 */
export async function createThread(
  ctx: Ctx,
  request: { projectId: string; text: string; about: Anchor | undefined },
  author: Author = authorOf(ctx),
): Promise<Thread> {
  const { projectId, about } = request;
  await getProject(ctx.tx, ctx.scope, projectId);
  if (about) await assertConfiguration(ctx.tx, projectId, about.configurationId);
  const written = { projectId, text: request.text, threadId: null, about };
  return { ...(await addComment(ctx, written, author)), replies: [] };
}

/**
 * Adds a reply to a thread.
 * @throws Fault not-found, forbidden, invalid, conflict for a thread of 100 replies
 */
export async function createReply(
  ctx: Ctx,
  { projectId, commentId, text }: CommentKey & { text: string },
  author: Author = authorOf(ctx),
): Promise<CommentRow> {
  await getProject(ctx.tx, ctx.scope, projectId);
  const thread = await getThread(ctx.tx, { projectId, commentId });
  if ((await countComments(ctx.tx, { projectId, threadId: thread.id })) >= REPLIES_MAX)
    throw new Fault("conflict", `A thread has at most ${REPLIES_MAX} replies. Start another one.`);
  return addComment(ctx, { projectId, text, threadId: thread.id, about: undefined }, author);
}

/**
 * Changes the text of the caller's own comment.
 * @throws Fault not-found, forbidden for another's comment, conflict after 15 minutes
 */
export async function editComment(
  ctx: Ctx,
  { text, ...key }: CommentKey & { text: string },
): Promise<CommentRow> {
  await getProject(ctx.tx, ctx.scope, key.projectId);
  const comment = await getComment(ctx.tx, key);
  assertEditable(ctx, comment);
  await updateComment(ctx.tx, comment.id, { text: toWrittenText(text), edited_at: ctx.now });
  await recordComment(ctx, "edited", comment);
  return getComment(ctx.tx, key);
}

/**
 * Resolves a thread, or opens it again. Nothing happens if it is in that state.
 * @throws Fault not-found (also for a reply), forbidden
 */
export async function resolveThread(
  ctx: Ctx,
  { resolved, ...key }: CommentKey & { resolved: boolean },
): Promise<CommentRow> {
  await getProject(ctx.tx, ctx.scope, key.projectId);
  const thread = await getThread(ctx.tx, key);
  if ((thread.resolved_at !== null) === resolved) return thread;
  const change = resolved
    ? { resolved_at: ctx.now, resolved_by: toActorName(ctx.actor) }
    : { resolved_at: null, resolved_by: null };
  await updateComment(ctx.tx, thread.id, change);
  await recordComment(ctx, resolved ? "resolved" : "reopened", thread);
  return { ...thread, ...change };
}

/**
 * Deletes a comment, with the replies to it: the author's own within 15 minutes, or any for owners.
 * @throws Fault not-found, forbidden, conflict
 */
export async function removeComment(ctx: Ctx, key: CommentKey): Promise<void> {
  await getProject(ctx.tx, ctx.scope, key.projectId);
  const comment = await getComment(ctx.tx, key);
  if (!(await isOwner(ctx, key.projectId))) assertEditable(ctx, comment);
  await deleteComment(ctx.tx, comment.id);
  await recordComment(ctx, "deleted", comment);
}

/** A page of a project's threads with their replies, newest first. Throws `Fault` not-found, forbidden, invalid. */
export async function listThreads(
  db: Db,
  scope: Scope,
  { cursor, limit, ...query }: ThreadsQuery,
): Promise<CursorPage<Thread>> {
  await getProject(db, scope, query.projectId);
  const before = parseTimeCursor(cursor);
  const rows = await listThreadRows(db, { ...query, before }, limit + 1);
  const replies = Map.groupBy(
    await listReplyRows(
      db,
      rows.map((row) => row.id),
    ),
    (reply) => reply.thread_id,
  );
  return toCursorPage(rows, limit, {
    keyOf: (row) => [row.created_at.toISOString(), row.id],
    toItem: (row) => ({ ...row, replies: replies.get(row.id) ?? [] }),
  });
}

interface NewComment {
  projectId: string;
  text: string;
  threadId: string | null;
  about: Anchor | undefined;
}

/** Inserts a comment and records its event. Throws `Fault` invalid, conflict. */
async function addComment(ctx: Ctx, comment: NewComment, author: Author): Promise<CommentRow> {
  const commentId = await addUnrecorded(ctx, comment, author);
  const row = await getComment(ctx.tx, { projectId: comment.projectId, commentId });
  await recordComment(ctx, "created", row, author);
  return row;
}

/** Inserts a comment, whose event the caller records, and returns its id. Throws `Fault` invalid, conflict. */
export async function addUnrecorded(
  ctx: Ctx,
  { projectId, text, threadId, about }: NewComment,
  author: Author,
): Promise<string> {
  if ((await countComments(ctx.tx, { projectId })) >= COMMENTS_MAX) {
    const detail = `A project has at most ${COMMENTS_MAX} comments. Delete old threads first.`;
    throw new Fault("conflict", detail);
  }
  const id = newDocumentId(ctx.now);
  await insertComment(ctx.tx, {
    id,
    project_id: projectId,
    thread_id: threadId,
    configuration_id: about?.configurationId ?? null,
    pointer: about?.pointer ?? null,
    excerpt: about?.excerpt ?? null,
    text: toWrittenText(text),
    created_at: ctx.now,
    ...toAuthorColumns(author),
  });
  return id;
}

async function recordComment(
  ctx: Ctx,
  act: "created" | "edited" | "resolved" | "reopened" | "deleted",
  comment: CommentRow,
  author?: Author,
): Promise<void> {
  const { id, thread_id: threadId, configuration_id: configurationId } = comment;
  await recordEvent(ctx, {
    name: `comment.${act}`,
    projectId: comment.project_id,
    documentId: id,
    data: {
      threadId: threadId ?? id,
      ...(configurationId === null ? {} : { configurationId }),
      ...(author ? toEventAuthor(author) : {}),
    },
  });
}

async function getComment(tx: Tx, key: CommentKey): Promise<CommentRow> {
  const comment = await findComment(tx, key);
  if (!comment) throw new Fault("not-found", `The project has no comment ${key.commentId}.`);
  return comment;
}

async function getThread(tx: Tx, key: CommentKey): Promise<CommentRow> {
  const comment = await getComment(tx, key);
  if (comment.thread_id === null) return comment;
  throw new Fault("not-found", `${key.commentId} is a reply. Its thread is ${comment.thread_id}.`);
}

function assertEditable(ctx: Ctx, comment: CommentRow): void {
  if (!isAuthor(comment, authorOf(ctx)))
    throw new Fault("forbidden", "Only its author can change a comment.");
  if (ctx.now.getTime() - comment.created_at.getTime() <= EDIT_MS) return;
  throw new Fault("conflict", "A comment can be changed for 15 minutes. Add a reply instead.");
}

async function isOwner(ctx: Ctx, projectId: string): Promise<boolean> {
  try {
    await getProject(ctx.tx, ctx.scope, projectId, "own");
    return true;
  } catch (error) {
    if (error instanceof Fault && error.kind === "forbidden") return false;
    throw error;
  }
}

async function assertConfiguration(tx: Tx, projectId: string, id: string): Promise<void> {
  const configurations = await listConfigurations(tx, projectId);
  if (configurations.some((one) => one.id === id)) return;
  const message = "is not a configuration of this project";
  const path = "/about/configurationId";
  throw new Fault("invalid", `${path}: ${message}`, { faults: [{ path, message }] });
}

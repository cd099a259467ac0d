import type { FastifyReply, FastifyRequest } from "fastify";
import { type Static, Type } from "typebox";
import { hrefOf, paths } from "@avow/contract/urls";
import { CursorQueryIn, cursorListOf } from "../../../http/lists/cursors.ts";
import type { Http } from "../../../http/http.ts";
import { answerWrite } from "../../../http/write.ts";
import { toScope } from "../../../kernel/actor.ts";
import { toAuthorOut } from "../authors.ts";
import type { ReviewsApp } from "../ports.ts";
import {
  type Thread,
  createReply,
  createThread,
  editComment,
  listThreads,
  removeComment,
  resolveThread,
} from "./comments.ts";
import type { CommentRow } from "./comments-store.ts";
import {
  CommentChangeIn,
  CommentIn,
  CommentOut,
  ReplyIn,
  ThreadOut,
  ThreadsQueryIn,
} from "./schema.ts";

const tags = ["reviews"];
const Id = Type.String({ pattern: "^[0-9a-f]{24}$" });
const ProjectParams = Type.Object({ projectId: Id });
const CommentParams = Type.Object({ projectId: Id, commentId: Id });

/** Registers the comments on a project's draft. */
export function registerCommentRoutes(
  http: Http,
  app: Pick<ReviewsApp, "db" | "now" | "publicUrl">,
): void {
  registerReading(http, app);
  registerWriting(http, app);
}

function registerReading(http: Http, app: Pick<ReviewsApp, "db" | "publicUrl">): void {
  http.get(
    paths.reviewComments,
    {
      schema: {
        tags,
        operationId: "listComments",
        summary: "List the threads of comments on a draft, newest first",
        description: "Each with its replies.",
        params: ProjectParams,
        querystring: Type.Interface([CursorQueryIn, ThreadsQueryIn], {}),
        response: { 200: cursorListOf(ThreadOut) },
      },
    },
    async (req) => {
      const { cursor, ...query } = req.query;
      const { projectId } = req.params;
      const { status, configurationId, limit } = query;
      const request = { projectId, status, configurationId, limit, cursor };
      const page = await listThreads(app.db, toScope(req.actor), request);
      const at = (from: string | undefined) =>
        hrefOf(app.publicUrl, paths.reviewComments, { projectId }, { ...query, cursor: from });
      const links = {
        self: at(cursor),
        ...(page.next === undefined ? {} : { next: at(page.next) }),
      };
      return { items: page.items.map(toThreadOut), links };
    },
  );
}

function registerWriting(http: Http, app: Pick<ReviewsApp, "db" | "now">): void {
  const writing = (req: FastifyRequest, reply: FastifyReply, status: number) => ({
    db: app.db,
    now: app.now,
    req,
    reply,
    status,
  });
  http.post(
    paths.reviewComments,
    {
      schema: {
        tags,
        operationId: "createComment",
        summary: "Comment on a draft",
        description:
          "Starts a thread, about the draft or about a place in a configuration. Members who can read the project can comment.",
        params: ProjectParams,
        body: CommentIn,
        response: { 201: ThreadOut },
      },
    },
    (req, reply) =>
      answerWrite(writing(req, reply, 201), async (ctx) => {
        const { text, about } = req.body;
        return toThreadOut(await createThread(ctx, { ...req.params, text, about }));
      }),
  );
  http.post(
    paths.reviewReplies,
    {
      schema: {
        tags,
        operationId: "replyToComment",
        summary: "Reply to a thread",
        description: "A reply to a resolved thread leaves it resolved.",
        params: CommentParams,
        body: ReplyIn,
        response: { 201: CommentOut },
      },
    },
    (req, reply) =>
      answerWrite(writing(req, reply, 201), async (ctx) =>
        toCommentOut(await createReply(ctx, { ...req.params, ...req.body })),
      ),
  );
  http.patch(
    paths.reviewComment,
    {
      schema: {
        tags,
        operationId: "changeComment",
        summary: "Edit a comment, or resolve or reopen its thread",
        description:
          "Authors can edit their comments for 15 minutes; everybody who can comment can resolve a thread.",
        params: CommentParams,
        body: CommentChangeIn,
        response: { 200: CommentOut },
      },
    },
    (req, reply) =>
      answerWrite(writing(req, reply, 200), async (ctx) => {
        const { params, body } = req;
        const change =
          "text" in body
            ? editComment(ctx, { ...params, text: body.text })
            : resolveThread(ctx, { ...params, resolved: body.resolved });
        return toCommentOut(await change);
      }),
  );
  http.delete(
    paths.reviewComment,
    {
      schema: {
        tags,
        operationId: "deleteComment",
        summary: "Delete a comment, with the replies to it",
        description: "For its author within 15 minutes, and for owners.",
        params: CommentParams,
        response: { 204: Type.Null() },
      },
    },
    (req, reply) =>
      answerWrite(writing(req, reply, 204), async (ctx) => {
        await removeComment(ctx, req.params);
        return null;
      }),
  );
}

function toCommentOut(row: CommentRow): Static<typeof CommentOut> {
  return {
    id: row.id,
    projectId: row.project_id,
    threadId: row.thread_id ?? row.id,
    author: toAuthorOut(row),
    text: row.text,
    createdAt: row.created_at.toISOString(),
    editedAt: row.edited_at?.toISOString() ?? null,
    resolvedAt: row.resolved_at?.toISOString() ?? null,
  };
}

function toThreadOut(row: Thread): Static<typeof ThreadOut> {
  const { configuration_id: configurationId, pointer, excerpt } = row;
  return {
    ...toCommentOut(row),
    about:
      configurationId === null
        ? null
        : {
            configurationId,
            ...(pointer === null ? {} : { pointer }),
            ...(excerpt === null ? {} : { excerpt }),
          },
    resolvedBy: row.resolved_by,
    replies: row.replies.map(toCommentOut),
  };
}

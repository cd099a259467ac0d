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
  type Review,
  type StatedDecision,
  changeSettings,
  decideOnDraft,
  listDecisions,
  readReview,
  requestReview,
  withdrawDecision,
} from "./approvals.ts";
import type { RequestRow } from "./approvals-store.ts";
import {
  DecisionIn,
  DecisionOut,
  RequestIn,
  RequestOut,
  ReviewOut,
  SettingsIn,
  SettingsOut,
} from "./schema.ts";

const tags = ["reviews"];
const Id = Type.String({ pattern: "^[0-9a-f]{24}$" });
const ProjectParams = Type.Object({ projectId: Id });
type RoutesApp = Pick<ReviewsApp, "db" | "now" | "publicUrl">;

/** Registers the approval of drafts before publication. */
export function registerApprovalRoutes(http: Http, app: RoutesApp): void {
  registerReading(http, app);
  registerSettings(http, app);
  registerDeciding(http, app);
}

const toWriting = (
  app: RoutesApp,
  { req, reply, status }: { req: FastifyRequest; reply: FastifyReply; status: number },
) => ({ db: app.db, now: app.now, req, reply, status });

function registerReading(http: Http, app: RoutesApp): void {
  http.get(
    paths.review,
    {
      schema: {
        tags,
        operationId: "getReview",
        summary: "Get the state of a draft's review",
        description:
          "The digest of the draft as it is now, the decisions on it, and the approvals that are missing before publication.",
        params: ProjectParams,
        response: { 200: ReviewOut },
      },
    },
    async (req, reply) => {
      const { projectId } = req.params;
      void reply.header("cache-control", "no-store");
      return toReviewOut(await readReview(app.db, toScope(req.actor), projectId), {
        projectId,
        publicUrl: app.publicUrl,
      });
    },
  );
  http.get(
    paths.reviewDecisions,
    {
      schema: {
        tags,
        operationId: "listDecisions",
        summary: "List all approvals of a project's drafts, and requests for changes, newest first",
        description: "Withdrawn ones and those of former drafts too.",
        params: ProjectParams,
        querystring: CursorQueryIn,
        response: { 200: cursorListOf(DecisionOut) },
      },
    },
    async (req) => {
      const { projectId } = req.params;
      const { cursor, limit } = req.query;
      const page = await listDecisions(app.db, toScope(req.actor), { projectId, limit, cursor });
      const at = (from: string | undefined) =>
        hrefOf(app.publicUrl, paths.reviewDecisions, { projectId }, { limit, cursor: from });
      const links = {
        self: at(cursor),
        ...(page.next === undefined ? {} : { next: at(page.next) }),
      };
      return { items: page.items.map(toDecisionOut), links };
    },
  );
}

function registerSettings(http: Http, app: RoutesApp): void {
  http.put(
    paths.reviewSettings,
    {
      schema: {
        tags,
        operationId: "setReviewSettings",
        summary: "Set the approvals that a publication requires",
        description: "For owners, in a session.",
        params: ProjectParams,
        body: SettingsIn,
        response: { 200: SettingsOut },
      },
    },
    (req, reply) =>
      answerWrite(toWriting(app, { req, reply, status: 200 }), (ctx) =>
        changeSettings(ctx, { ...req.params, ...req.body }),
      ),
  );
  http.post(
    paths.reviewRequests,
    {
      schema: {
        tags,
        operationId: "requestReview",
        summary: "Ask members for a review of the draft",
        description: "Notifies the `reviewers`; without any, all members who may approve.",
        params: ProjectParams,
        body: RequestIn,
        response: { 201: RequestOut },
      },
    },
    (req, reply) =>
      answerWrite(toWriting(app, { req, reply, status: 201 }), async (ctx) => {
        const request = await requestReview(ctx, { ...req.params, ...req.body });
        return toRequestOut(request, request.digest);
      }),
  );
}

function registerDeciding(http: Http, app: RoutesApp): void {
  http.post(
    paths.reviewDecisions,
    {
      schema: {
        tags,
        operationId: "decideOnDraft",
        summary: "Approve a draft, or request changes",
        description:
          "An approval is for exactly the draft with this digest: 409 if the draft was changed since, and void after a change. Sessions only.",
        params: ProjectParams,
        body: DecisionIn,
        response: { 201: DecisionOut },
      },
    },
    (req, reply) =>
      answerWrite(toWriting(app, { req, reply, status: 201 }), async (ctx) =>
        toDecisionOut(await decideOnDraft(ctx, { ...req.params, ...req.body })),
      ),
  );
  http.delete(
    paths.reviewDecision,
    {
      schema: {
        tags,
        operationId: "withdrawDecision",
        summary: "Withdraw an approval, or a request for changes",
        description: "For its author, and for owners.",
        params: Type.Object({ projectId: Id, decisionId: Id }),
        response: { 204: Type.Null() },
      },
    },
    (req, reply) =>
      answerWrite(toWriting(app, { req, reply, status: 204 }), async (ctx) => {
        await withdrawDecision(ctx, req.params);
        return null;
      }),
  );
}

function toReviewOut(
  review: Review,
  { projectId, publicUrl }: { projectId: string; publicUrl: string },
): Static<typeof ReviewOut> {
  const { request, decisions, earlier } = review;
  return {
    ...review,
    projectId,
    decisions: decisions.map(toDecisionOut),
    earlier: earlier.map(toDecisionOut),
    request: request ? toRequestOut(request, review.digest) : null,
    links: {
      self: hrefOf(publicUrl, paths.review, { projectId }),
      decisions: hrefOf(publicUrl, paths.reviewDecisions, { projectId }),
      comments: hrefOf(publicUrl, paths.reviewComments, { projectId }),
      check: hrefOf(publicUrl, paths.publishCheck, { projectId }),
      changes: hrefOf(publicUrl, paths.publicationsDiff, { projectId, from: "live", to: "next" }),
    },
  };
}

function toDecisionOut(row: StatedDecision): Static<typeof DecisionOut> {
  return {
    id: row.id,
    digest: row.digest,
    decision: row.decision,
    author: toAuthorOut(row),
    createdAt: row.created_at.toISOString(),
    withdrawnAt: row.withdrawn_at?.toISOString() ?? null,
    isCurrent: row.isCurrent,
    counts: row.counts,
  };
}

function toRequestOut(row: RequestRow, digest: string): Static<typeof RequestOut> {
  const author = { ...row, author_id: row.created_by, link_id: null, author_name: null };
  return {
    id: row.id,
    digest: row.digest,
    isCurrent: row.digest === digest,
    by: toAuthorOut(author),
    message: row.message,
    reviewers: row.reviewers,
    createdAt: row.created_at.toISOString(),
  };
}

import { type Static, Type } from "typebox";
import { hrefOf, paths, withHost } from "@avow/contract/urls";
import { CursorQueryIn, cursorListOf } from "../../../http/lists/cursors.ts";
import type { Http } from "../../../http/http.ts";
import { answerWrite } from "../../../http/write.ts";
import { toScope } from "../../../kernel/actor.ts";
import { findBrand } from "../../vault/brands/brands.ts";
import type { ReviewsApp } from "../ports.ts";
import { type LinkRow, createLink, listLinks, revokeLink } from "./links.ts";
import { LinkIn, LinkOut, NewLinkOut } from "./schema.ts";

const tags = ["reviews"];
const Id = Type.String({ pattern: "^[0-9a-f]{24}$" });
const ProjectParams = Type.Object({ projectId: Id });

/** Registers the links to the review page, for persons without an account. */
export function registerLinkRoutes(
  http: Http,
  app: Pick<ReviewsApp, "db" | "now" | "publicUrl">,
): void {
  const { db, now, publicUrl } = app;
  http.get(
    paths.reviewLinks,
    {
      schema: {
        tags,
        operationId: "listReviewLinks",
        summary: "List the review links of a project, newest first",
        description: "Also those that have expired or were revoked.",
        params: ProjectParams,
        querystring: CursorQueryIn,
        response: { 200: cursorListOf(LinkOut) },
      },
    },
    async (req) => {
      const { projectId } = req.params;
      const { cursor, limit } = req.query;
      const page = await listLinks(db, toScope(req.actor), { projectId, limit, cursor });
      const at = (from: string | undefined) =>
        hrefOf(publicUrl, paths.reviewLinks, { projectId }, { limit, cursor: from });
      const links = {
        self: at(cursor),
        ...(page.next === undefined ? {} : { next: at(page.next) }),
      };
      return { items: page.items.map(toLinkOut), links };
    },
  );
  http.post(
    paths.reviewLinks,
    {
      schema: {
        tags,
        operationId: "createReviewLink",
        summary: "Create a link to the review page of a draft",
        description:
          "For a person without an account. `url` is returned only once: a person who has it can read the draft, and act as its recipient. Sessions only.",
        params: ProjectParams,
        body: LinkIn,
        response: { 201: NewLinkOut },
      },
    },
    (req, reply) =>
      answerWrite({ db, now, req, reply, status: 201, isSecret: true }, async (ctx) => {
        const { recipient, days = 14, mayComment = true, mayApprove = false } = req.body;
        const request = { ...req.params, recipient, days, mayComment, mayApprove };
        const { link, token } = await createLink(ctx, request);
        const brand = await findBrand(ctx.tx, link.project_id);
        const base = withHost(publicUrl, brand?.host);
        return { ...toLinkOut(link), url: hrefOf(base, paths.reviewPage, { token }) };
      }),
  );
  http.delete(
    paths.reviewLink,
    {
      schema: {
        tags,
        operationId: "revokeReviewLink",
        summary: "Revoke a review link",
        description: "Its page is gone at once, and approvals by it no longer count.",
        params: Type.Object({ projectId: Id, linkId: Id }),
        response: { 204: Type.Null() },
      },
    },
    (req, reply) =>
      answerWrite({ db, now, req, reply, status: 204 }, async (ctx) => {
        await revokeLink(ctx, req.params);
        return null;
      }),
  );
}

function toLinkOut(row: LinkRow): Static<typeof LinkOut> {
  return {
    id: row.id,
    projectId: row.project_id,
    recipient: row.recipient,
    mayComment: row.may_comment,
    mayApprove: row.may_approve,
    createdAt: row.created_at.toISOString(),
    createdBy: row.created_by,
    expiresAt: row.expires_at.toISOString(),
    usedAt: row.used_at?.toISOString() ?? null,
    revokedAt: row.revoked_at?.toISOString() ?? null,
  };
}

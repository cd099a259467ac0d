import type { Http } from "../http/http.ts";
import { registerApprovalRoutes } from "../modules/reviews/approvals/approval-routes.ts";
import { registerCommentRoutes } from "../modules/reviews/comments/comment-routes.ts";
import { registerLinkRoutes } from "../modules/reviews/links/link-routes.ts";
import { registerReviewPage } from "../modules/reviews/page/page-routes.ts";
import type { ReviewsApp } from "../modules/reviews/ports.ts";

/** Registers the review of drafts: comments, approvals, links for persons without an account, and their page. */
export function openReviews(http: Http, app: ReviewsApp): void {
  registerCommentRoutes(http, app);
  registerApprovalRoutes(http, app);
  registerLinkRoutes(http, app);
  registerReviewPage(http, app);
}

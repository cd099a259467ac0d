import type { ComponentType } from "preact";
import { lazy } from "./ui/lazy.tsx";
import { Claim } from "./screens/auth/claim.tsx";
import { Finish } from "./screens/auth/finish.tsx";
import { Forgot } from "./screens/auth/forgot.tsx";
import { Invitation } from "./screens/auth/invitation.tsx";
import { Reset } from "./screens/auth/reset.tsx";
import { SignIn } from "./screens/auth/sign-in.tsx";
import { SignUp } from "./screens/auth/sign-up.tsx";

/** The parameters of a screen's path pattern. */
type RouteParameters = Record<string, string>;

/** A screen and the pattern of its path. `:projectId` adds the project's navigation. */
export interface Screen {
  pattern: string;
  screen: ComponentType<RouteParameters>;
}

/** Screens that need no sign-in. */
export const openScreens: readonly Screen[] = [
  { pattern: "/signin", screen: SignIn },
  { pattern: "/signup", screen: SignUp },
  { pattern: "/forgot", screen: Forgot },
  { pattern: "/reset", screen: Reset },
  { pattern: "/invitation", screen: Invitation },
  { pattern: "/transfer", screen: lazy(() => import("./screens/transfer/transfer.tsx")) },
  { pattern: "/claim", screen: Claim },
  { pattern: "/signin/finish", screen: Finish },
];

/** Screens for signed-in users; each is loaded from a file of its own. */
export const screens: readonly Screen[] = [
  { pattern: "/projects", screen: lazy(() => import("./screens/projects/list.tsx")) },
  { pattern: "/projects/new", screen: lazy(() => import("./screens/projects/create.tsx")) },
  { pattern: "/projects/bulk", screen: lazy(() => import("./screens/bulk/bulk.tsx")) },
  { pattern: "/projects/move-in", screen: lazy(() => import("./screens/move-in/move-in.tsx")) },
  { pattern: "/projects/:projectId", screen: lazy(() => import("./screens/project/home.tsx")) },
  {
    pattern: "/projects/:projectId/consents",
    screen: lazy(() => import("./screens/consents/consents.tsx")),
  },
  {
    pattern: "/projects/:projectId/consents/:token",
    screen: lazy(() => import("./screens/consents/person.tsx")),
  },
  {
    pattern: "/projects/:projectId/webhooks",
    screen: lazy(() => import("./screens/webhooks/webhooks.tsx")),
  },
  {
    pattern: "/projects/:projectId/webhooks/:webhookId",
    screen: lazy(() => import("./screens/webhooks/webhook.tsx")),
  },
  {
    pattern: "/projects/:projectId/scans",
    screen: lazy(() => import("./screens/scans/scans.tsx")),
  },
  {
    pattern: "/projects/:projectId/scans/:scanId",
    screen: lazy(() => import("./screens/scans/scan.tsx")),
  },
  {
    pattern: "/projects/:projectId/transfers",
    screen: lazy(() => import("./screens/transfers/transfers.tsx")),
  },
  {
    pattern: "/projects/:projectId/activity",
    screen: lazy(() => import("./screens/activity/activity.tsx")),
  },
  {
    pattern: "/projects/:projectId/audit",
    screen: lazy(() => import("./screens/trail/audit.tsx")),
  },
  { pattern: "/projects/:projectId/log", screen: lazy(() => import("./screens/trail/log.tsx")) },
  {
    pattern: "/projects/:projectId/statistics",
    screen: lazy(() => import("./screens/statistics/statistics.tsx")),
  },
  {
    pattern: "/projects/:projectId/start",
    screen: lazy(() => import("./screens/start/start.tsx")),
  },
  {
    pattern: "/projects/:projectId/publish",
    screen: lazy(() => import("./screens/publish/publish.tsx")),
  },
  {
    pattern: "/projects/:projectId/reviews",
    screen: lazy(() => import("./screens/reviews/reviews.tsx")),
  },
  {
    pattern: "/projects/:projectId/settings",
    screen: lazy(() => import("./screens/settings/settings.tsx")),
  },
  { pattern: "/projects/:projectId/team", screen: lazy(() => import("./screens/team/team.tsx")) },
  {
    pattern: "/projects/:projectId/cookies",
    screen: lazy(() => import("./screens/editor/list.tsx")),
  },
  {
    pattern: "/projects/:projectId/cookies/:documentId",
    screen: lazy(() => import("./screens/editor/banner/cookies.tsx")),
  },
  {
    pattern: "/projects/:projectId/boxes",
    screen: lazy(() => import("./screens/editor/forms/boxes.tsx")),
  },
  {
    pattern: "/projects/:projectId/processings/:documentId",
    screen: lazy(() => import("./screens/editor/forms/processing.tsx")),
  },
  {
    pattern: "/projects/:projectId/contracts/:documentId",
    screen: lazy(() => import("./screens/editor/forms/contract.tsx")),
  },
  { pattern: "/assets", screen: lazy(() => import("./screens/assets/assets.tsx")) },
  { pattern: "/assets/:assetId", screen: lazy(() => import("./screens/assets/asset.tsx")) },
  { pattern: "/organizations", screen: lazy(() => import("./screens/organizations/list.tsx")) },
  {
    pattern: "/organizations/:organizationId",
    screen: lazy(() => import("./screens/organizations/home.tsx")),
  },
  {
    pattern: "/organizations/:organizationId/team",
    screen: lazy(() => import("./screens/organizations/team.tsx")),
  },
  {
    pattern: "/organizations/:organizationId/plan",
    screen: lazy(() => import("./screens/organizations/plan.tsx")),
  },
  {
    pattern: "/organizations/:organizationId/plan/:outcome",
    screen: lazy(() => import("./screens/organizations/returned.tsx")),
  },
  { pattern: "/instance", screen: lazy(() => import("./screens/instance/instance.tsx")) },
  {
    pattern: "/notifications",
    screen: lazy(() => import("./screens/notifications/notifications.tsx")),
  },
  { pattern: "/account", screen: lazy(() => import("./screens/account/account.tsx")) },
  { pattern: "/account/linked", screen: lazy(() => import("./screens/account/linked.tsx")) },
];

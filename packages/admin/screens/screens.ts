import type { ComponentType } from "preact";
import { lazy } from "../ui/lazy.tsx";
import { Finish } from "./auth/finish.tsx";
import { Forgot } from "./auth/forgot.tsx";
import { Invitation } from "./auth/invitation.tsx";
import { Reset } from "./auth/reset.tsx";
import { SignIn } from "./auth/sign-in.tsx";
import { SignUp } from "./auth/sign-up.tsx";

/** Parameters of a screen's address; those of its pattern are there. */
type Found = Record<string, string>;

/** A screen by the pattern of its address; `:projectId` in it shows the project's navigation beside it. */
export interface Screen {
  pattern: string;
  screen: ComponentType<Found>;
}

/** What is there for everybody, signed in or not. */
export const openScreens: readonly Screen[] = [
  { pattern: "/signin", screen: SignIn },
  { pattern: "/signup", screen: SignUp },
  { pattern: "/forgot", screen: Forgot },
  { pattern: "/reset", screen: Reset },
  { pattern: "/invitation", screen: Invitation },
  { pattern: "/signin/finish", screen: Finish },
];

/** What is there for whoever is signed in; each comes in a file of its own. */
export const screens: readonly Screen[] = [
  { pattern: "/projects", screen: lazy(() => import("./projects/list.tsx")) },
  { pattern: "/projects/new", screen: lazy(() => import("./projects/create.tsx")) },
  { pattern: "/projects/:projectId", screen: lazy(() => import("./project/home.tsx")) },
  {
    pattern: "/projects/:projectId/consents",
    screen: lazy(() => import("./consents/consents.tsx")),
  },
  {
    pattern: "/projects/:projectId/consents/:token",
    screen: lazy(() => import("./consents/person.tsx")),
  },
  {
    pattern: "/projects/:projectId/webhooks",
    screen: lazy(() => import("./webhooks/webhooks.tsx")),
  },
  {
    pattern: "/projects/:projectId/webhooks/:webhookId",
    screen: lazy(() => import("./webhooks/webhook.tsx")),
  },
  {
    pattern: "/projects/:projectId/transfers",
    screen: lazy(() => import("./transfers/transfers.tsx")),
  },
  { pattern: "/projects/:projectId/audit", screen: lazy(() => import("./trail/audit.tsx")) },
  { pattern: "/projects/:projectId/log", screen: lazy(() => import("./trail/log.tsx")) },
  {
    pattern: "/projects/:projectId/statistics",
    screen: lazy(() => import("./statistics/statistics.tsx")),
  },
  { pattern: "/projects/:projectId/start", screen: lazy(() => import("./projects/start.tsx")) },
  { pattern: "/projects/:projectId/publish", screen: lazy(() => import("./publish/publish.tsx")) },
  {
    pattern: "/projects/:projectId/settings",
    screen: lazy(() => import("./settings/settings.tsx")),
  },
  { pattern: "/projects/:projectId/team", screen: lazy(() => import("./team/team.tsx")) },
  { pattern: "/projects/:projectId/cookies", screen: lazy(() => import("./editor/list.tsx")) },
  {
    pattern: "/projects/:projectId/cookies/:documentId",
    screen: lazy(() => import("./editor/cookies.tsx")),
  },
  { pattern: "/projects/:projectId/boxes", screen: lazy(() => import("./editor/boxes.tsx")) },
  {
    pattern: "/projects/:projectId/processings/:documentId",
    screen: lazy(() => import("./editor/processing.tsx")),
  },
  {
    pattern: "/projects/:projectId/contracts/:documentId",
    screen: lazy(() => import("./editor/contract.tsx")),
  },
  { pattern: "/assets", screen: lazy(() => import("./assets/assets.tsx")) },
  { pattern: "/assets/:assetId", screen: lazy(() => import("./assets/asset.tsx")) },
  { pattern: "/organizations", screen: lazy(() => import("./organizations/list.tsx")) },
  {
    pattern: "/organizations/:organizationId",
    screen: lazy(() => import("./organizations/home.tsx")),
  },
  {
    pattern: "/organizations/:organizationId/team",
    screen: lazy(() => import("./organizations/team.tsx")),
  },
  {
    pattern: "/organizations/:organizationId/plan",
    screen: lazy(() => import("./organizations/plan.tsx")),
  },
  {
    pattern: "/organizations/:organizationId/plan/:outcome",
    screen: lazy(() => import("./organizations/returned.tsx")),
  },
  { pattern: "/account", screen: lazy(() => import("./account/account.tsx")) },
  { pattern: "/account/linked", screen: lazy(() => import("./account/linked.tsx")) },
];

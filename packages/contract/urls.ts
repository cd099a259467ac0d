/**
 * Every public URL of the service: routes are registered with these patterns, and `hrefOf` builds links from them.
 */
export const paths = {
  root: "/v1",
  openapi: "/v1/openapi.json",
  reference: "/docs",
  problem: "/problems/:name",
  healthLive: "/health/live",
  healthReady: "/health/ready",
  metrics: "/metrics",
  demo: "/demo",
  cdn: "/cdn/",
  widget: "/widget.js",
  admin: "/admin",
  adminScreen: "/admin/*",
  adminFile: "/admin/files/:name",
  preview: "/preview",
  adminReset: "/admin/reset",
  adminInvitation: "/admin/invitation",
  adminTransfer: "/admin/transfer",
  adminProjects: "/admin/projects",
  adminClaim: "/admin/claim",

  signup: "/v1/auth/local/signup",
  signin: "/v1/auth/local/signin",
  me: "/v1/auth/me",
  logout: "/v1/auth/logout",
  accessTokens: "/v1/auth/tokens",
  accessToken: "/v1/auth/tokens/:id",
  userTokens: "/v1/auth/users/:userId/tokens",
  passwordRule: "/v1/auth/local/password-rule",
  userDisabled: "/v1/auth/users/:userId/disabled",
  deleteMe: "/v1/auth/me/deletion",
  userFactor: "/v1/auth/users/:userId/factor",
  factor: "/v1/auth/factor",
  factorConfirm: "/v1/auth/factor/confirm",
  recoveryCodes: "/v1/auth/factor/recovery-codes",
  confirm: "/v1/auth/confirm",
  updatePassword: "/v1/auth/local/update-password",
  askReset: "/v1/auth/local/reset-password-token",
  resetPassword: "/v1/auth/local/reset-password",
  validate: "/v1/auth/local/validate",
  invitations: "/v1/auth/invitations",
  invitation: "/v1/auth/invitations/:token",
  identity: "/v1/auth/identities/:id",
  signups: "/v1/auth/signups",
  claim: "/v1/auth/claim",
  instanceStatus: "/v1/instance/status",
  operators: "/v1/auth/operators",
  operator: "/v1/auth/operators/:userId",
  providers: "/v1/auth/providers",
  exchange: "/v1/auth/exchange",
  session: "/v1/auth/session",
  sessionSignup: "/v1/auth/session/signup",
  sessionReset: "/v1/auth/session/reset",
  sessionExchange: "/v1/auth/session/exchange",
  signInWith: "/v1/auth/:provider",
  signInCallback: "/v1/auth/:provider/callback",
  resetPage: "/account/reset",
  invitationPage: "/account/invitation",
  confirmPage: "/account/confirm",
  confirmedPage: "/account/confirmed",
  unsubscribePage: "/account/unsubscribe",

  documents: "/v1/vault/:resource",
  extendedProject: "/v1/vault/projects/extended",
  document: "/v1/vault/:resource/:documentId",
  documentUsers: "/v1/vault/:resource/:documentId/users",
  documentUser: "/v1/vault/:resource/:documentId/users/:userId",
  documentVersions: "/v1/vault/:resource/:documentId/versions",
  documentVersion: "/v1/vault/:resource/:documentId/versions/:version",
  documentDiff: "/v1/vault/:resource/:documentId/versions/:from/diff/:to",
  documentRestore: "/v1/vault/:resource/:documentId/versions/:version/restore",
  inheritance: "/v1/vault/projects/:projectId/inheritance",
  inheritanceReset: "/v1/vault/projects/:projectId/inheritance/:documentId/reset",
  documentDuplicate: "/v1/vault/:resource/:documentId/duplicate",
  content: "/v1/content/contracts",
  audit: "/v1/vault/audit",
  activity: "/v1/vault/activity",
  additions: "/v1/vault/additions",
  groups: "/v1/vault/groups",
  projectTransfer: "/v1/vault/projects/:documentId/transfer",
  transfers: "/v1/vault/transfers",
  transfer: "/v1/vault/transfers/:token",
  organizationDomain: "/v1/vault/organizations/:documentId/domain",
  domains: "/v1/domains",
  domainChallenge: "/v1/domains/challenge",

  publishJobs: "/v1/publish/jobs",
  publishJob: "/v1/publish/jobs/:id",
  publications: "/v1/publish/projects/:projectId/versions",
  rollback: "/v1/publish/projects/:projectId/versions/:version/rollback",
  publishedProject: "/v1/publish/projects/:projectId",
  publicationsDiff: "/v1/publish/projects/:projectId/versions/:from/diff/:to",
  publishCheck: "/v1/publish/projects/:projectId/check",
  tcfVendors: "/v1/publish/tcf/vendors",
  snippetMails: "/v1/publish/projects/:projectId/snippet-mails",
  scans: "/v1/publish/projects/:projectId/scans",
  scan: "/v1/publish/projects/:projectId/scans/:scanId",
  templateSites: "/v1/publish/templates/:templateId/sites",
  templateReport: "/v1/publish/templates/:templateId/report",
  templatePublications: "/v1/publish/templates/:templateId/publications",
  templatePublication: "/v1/publish/templates/:templateId/publications/:publicationId",
  templatePublicationSites: "/v1/publish/templates/:templateId/publications/:publicationId/sites",
  publishPreview: "/v1/publish/projects/:projectId/preview",

  moveInFiles: "/v1/move-in/files",

  review: "/v1/reviews/:projectId",
  reviewSettings: "/v1/reviews/:projectId/settings",
  reviewRequests: "/v1/reviews/:projectId/requests",
  reviewDecisions: "/v1/reviews/:projectId/decisions",
  reviewDecision: "/v1/reviews/:projectId/decisions/:decisionId",
  reviewComments: "/v1/reviews/:projectId/comments",
  reviewComment: "/v1/reviews/:projectId/comments/:commentId",
  reviewReplies: "/v1/reviews/:projectId/comments/:commentId/replies",
  reviewLinks: "/v1/reviews/:projectId/links",
  reviewLink: "/v1/reviews/:projectId/links/:linkId",
  reviewPage: "/review/:token",

  collect: "/v1/app/consents/:projectId/:collection/:identifier",
  collectBatch: "/v1/app/consents/:projectId",
  consents: "/v1/app/consents/:projectId",
  tickets: "/v1/app/tickets/:projectId",
  stats: "/v1/app/stats/:projectId",
  siteStats: "/v1/app/stats",
  publicationStats: "/v1/app/stats/:projectId/versions/:version",
  latestConsent: "/v1/app/consent/:projectId",
  imports: "/v1/app/imports/:projectId",
  import: "/v1/app/imports/:projectId/:id",
  refusedLines: "/v1/app/imports/:projectId/:id/refused",
  export: "/v1/app/exports/:projectId.:format",
  exportManifest: "/v1/app/exports/:projectId/manifests/:exportId",
  proof: "/v1/app/proofs/:consentId",
  consistency: "/v1/app/proofs/:projectId/consistency",
  proofs: "/v1/app/proofs",
  dossier: "/v1/app/dossiers/:projectId",
  erasedToken: "/v1/app/tokens/:projectId/:token",
  erasures: "/v1/app/erasures/:projectId",
  erasure: "/v1/app/erasures/:projectId/:id",

  verifier: "/verify",
  checkpoint: "/log/checkpoint",
  witnessedCheckpoint: "/log/checkpoint/witnessed",
  logTile: "/log/tile/*",
  logKeys: "/log/keys",
  logWidgets: "/log/widgets",
  timestamps: "/log/timestamps",
  timestampReply: "/log/timestamps/:size.tsr",
  timestampCheckpoint: "/log/timestamps/:size.txt",

  region: "/v1/client/region",
  clientProjects: "/v1/client/",
  clientProject: "/v1/client/:id",
  clientForms: "/v1/client/:id/forms",
  clientTokens: "/v1/client/:id/tokens",
  clientConsents: "/v1/client/:id/consents/:token",
  clientAccepted: "/v1/client/:id/tokens/accepted",
  clientAcceptedItem: "/v1/client/:id/tokens/accepted/:identifier",
  clientStatusItem: "/v1/client/:id/tokens/:status/:identifier",

  personLinks: "/v1/client/:id/links",
  personLink: "/v1/client/:id/links/:linkId",
  personAnswers: "/v1/client/:id/answers",
  erasureRequests: "/v1/client/:id/erasure-requests",
  erasureRequest: "/v1/client/:id/erasure-requests/:requestId",
  erasureRule: "/v1/client/:id/erasure-rule",
  erasureProposals: "/v1/client/:id/erasure-proposals",
  erasureProposal: "/v1/client/:id/erasure-proposals/:proposalId",
  erasureConfirmation: "/v1/client/:id/erasure-proposals/:proposalId/confirmation",
  personPage: "/c/:projectId/:link",
  personCheck: "/c/:projectId/:link/check/:consentId",
  personData: "/c/:projectId/:link/data.json",
  personReceipt: "/c/:projectId/:link/receipts/:consentId.:format",

  assets: "/v1/assets",
  asset: "/v1/assets/:id",
  assetMetadata: "/v1/assets/:id/metadata",
  assetUses: "/v1/assets/:id/uses",

  notifications: "/v1/notifications",
  notificationCount: "/v1/notifications/count",
  notificationReads: "/v1/notifications/reads",
  notificationSettings: "/v1/notifications/settings",

  webhooks: "/v1/webhooks",
  webhook: "/v1/webhooks/:id",
  webhookTest: "/v1/webhooks/:id/test",
  webhookSecret: "/v1/webhooks/:id/secret",
  webhookKey: "/v1/webhooks/:id/key",
  webhookReplay: "/v1/webhooks/:id/replay",
  webhookDeliveries: "/v1/webhooks/:id/deliveries",
  webhookDelivery: "/v1/webhooks/:id/deliveries/:deliveryId",
  webhookRetry: "/v1/webhooks/:id/deliveries/:deliveryId/retry",
  webhookEvents: "/v1/webhooks/events",
  asyncapi: "/v1/webhooks/asyncapi.json",

  plans: "/v1/billing/plans",
  checkout: "/v1/billing/checkout",
  portal: "/v1/billing/portal",
  paymentEvents: "/v1/billing/webhook",
  organizationBilling: "/v1/billing/organizations/:organizationId",
  invoices: "/v1/billing/organizations/:organizationId/invoices",
} as const;

type ParamsOf<P extends string> = P extends `${infer Segment}/${infer Rest}`
  ? ParamsOf<Segment> | ParamsOf<Rest>
  : P extends `:${infer Name}.${infer Rest}`
    ? Name | ParamsOf<Rest>
    : P extends `:${infer Name}`
      ? Name
      : never;

type Query = Record<string, string | number | undefined>;

const SLASH = 0x2f;
const DOT = 0x2e;
/** Characters that need no encoding in a path or a query. */
const plainPattern = /^[\w.-]*$/;

/**
 * The URL of `path` under `base` (the public URL, or "" for a path), with its parameters percent-encoded and `query`
 * appended without undefined values. Each response of a consent has several, whose ids and tokens need no encoding.
 */
export function hrefOf<P extends string>(
  base: string,
  path: P,
  params: Record<ParamsOf<P>, string | number>,
  query: Query = {},
): string {
  const values: Record<string, string | number> = params;
  let href = base;
  let from = 0;
  for (let colon = path.indexOf(":"); colon >= 0; colon = path.indexOf(":", from)) {
    const end = toNameEnd(path, colon);
    const value = String(values[path.slice(colon + 1, end)]);
    href += path.slice(from, colon) + toPathText(value);
    from = end;
  }
  href += path.slice(from);
  let separator = "?";
  for (const name in query) {
    if (query[name] === undefined) continue;
    href += `${separator}${toQueryText(name)}=${toQueryText(String(query[name]))}`;
    separator = "&";
  }
  return href;
}

/**
 * The public URL at another host, without a trailing slash; the public URL itself without a host. Scheme, port and path
 * stay.
 */
export function withHost(publicUrl: string, host: string | undefined): string {
  if (host === undefined) return publicUrl;
  const url = new URL(publicUrl);
  url.hostname = host;
  return url.href.replace(/\/$/, "");
}

/** The name of a parameter ends at the next slash or dot. */
function toNameEnd(path: string, colon: number): number {
  let at = colon;
  while (at < path.length && path.charCodeAt(at) !== SLASH && path.charCodeAt(at) !== DOT) at += 1;
  return at;
}

/** Encodes a segment of a path. */
export function toPathText(text: string): string {
  return plainPattern.test(text) ? text : encodeURIComponent(text);
}

/** Encodes as URLSearchParams does (WHATWG URL, application/x-www-form-urlencoded serializer). */
export function toQueryText(text: string): string {
  return plainPattern.test(text) ? text : new URLSearchParams([["", text]]).toString().slice(1);
}

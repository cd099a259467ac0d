import {
  breakExport,
  choosePartners,
  leaveOut,
  loseNetwork,
  loseSession,
  makeKey,
  meetConflict,
  openPalette,
  openPartners,
  pickFile,
  returnUnsaved,
  searchEverywhere,
  selectRows,
  showRefused,
  switchProject,
  withdraw,
} from "./actions.ts";
import {
  type AdminScene,
  editor,
  inJournal,
  inNew,
  inOrganization,
  inProject,
  onPerson,
  onWebhook,
  press,
  turn,
} from "./scene.ts";

/** Dialogs and messages over a screen. */
const dialogs: readonly AdminScene[] = [
  { name: "admin-palette", at: inProject(), act: searchEverywhere },
  { name: "admin-palette-projects", at: inProject(), act: switchProject },
  { name: "admin-palette-french", at: inProject(), act: openPalette, language: "fr" },
  { name: "admin-conflict", at: inJournal, act: meetConflict },
  { name: "admin-session-ended", at: editor("cookies"), act: loseSession },
  { name: "admin-offline", at: editor("cookies"), act: loseNetwork },
  { name: "admin-unsaved", at: editor("cookies"), act: returnUnsaved },
  { name: "admin-projects-selected", at: () => "/projects", act: selectRows },
  { name: "admin-file-picker", at: editor("processings"), act: pickFile },
  { name: "admin-partners", at: inJournal, act: openPartners },
  { name: "admin-partners-choose", at: inJournal, act: choosePartners },
  { name: "admin-publish-later", at: inProject("/publish"), act: press("Publish later") },
  { name: "admin-publish-rollback", at: inProject("/publish"), act: press("Roll back") },
  { name: "admin-unpublish", at: inProject("/publish"), act: press("Unpublish") },
  { name: "admin-team-remove", at: inProject("/team"), act: press("Remove Noé Lambert") },
  { name: "admin-webhooks-faults", at: inProject("/webhooks"), act: leaveOut },
  { name: "admin-webhook-secret", at: onWebhook, act: press("New secret") },
  { name: "admin-import-refused", at: inProject("/transfers"), act: showRefused },
  { name: "admin-export-broken", at: inProject("/transfers"), act: breakExport },
  { name: "admin-organizations-new", at: () => "/organizations", act: press("New organization") },
  { name: "admin-account-key-made", at: () => "/account", act: makeKey },
];

/** Screens of roles with fewer rights. */
const rights: readonly AdminScene[] = [
  { name: "admin-auditor-projects", at: () => "/projects", who: "auditor" },
  { name: "admin-auditor", at: inProject(), who: "auditor" },
  { name: "admin-auditor-french", at: inProject(), who: "auditor", language: "fr" },
  { name: "admin-auditor-consents", at: inProject("/consents"), who: "auditor" },
  { name: "admin-auditor-audit", at: inProject("/audit"), who: "auditor" },
  { name: "admin-auditor-publish", at: inProject("/publish"), who: "auditor" },
  { name: "admin-auditor-banner", at: editor("cookies"), who: "auditor" },
  { name: "admin-auditor-webhook", at: onWebhook, who: "auditor" },
  { name: "admin-viewer", at: inProject(), who: "viewer" },
  { name: "admin-viewer-banners", at: inProject("/cookies"), who: "viewer" },
  { name: "admin-viewer-banner", at: editor("cookies"), who: "viewer" },
  { name: "admin-viewer-publish", at: inProject("/publish"), who: "viewer" },
  { name: "admin-viewer-transfers", at: inProject("/transfers"), who: "viewer" },
  { name: "admin-viewer-webhooks", at: inProject("/webhooks"), who: "viewer" },
  { name: "admin-viewer-team", at: inProject("/team"), who: "viewer" },
  { name: "admin-viewer-audit", at: inProject("/audit"), who: "viewer" },
  { name: "admin-viewer-person", at: onPerson, who: "viewer" },
  { name: "admin-viewer-plan", at: inOrganization("/plan"), who: "viewer" },
  { name: "admin-stranger", at: inProject(), who: "newcomer" },
  { name: "admin-stranger-organization", at: inOrganization(), who: "newcomer" },
];

/** Empty screens. */
const empty: readonly AdminScene[] = [
  { name: "admin-empty-projects", at: () => "/projects", who: "newcomer" },
  { name: "admin-empty-organizations", at: () => "/organizations", who: "newcomer" },
  { name: "admin-empty-files", at: () => "/assets", who: "newcomer" },
  { name: "admin-empty-account", at: () => "/account", who: "newcomer" },
  { name: "admin-empty-banners", at: inNew("/cookies") },
  { name: "admin-empty-boxes", at: inNew("/boxes") },
  { name: "admin-empty-consents", at: inNew("/consents") },
  { name: "admin-empty-people", at: inNew("/consents?view=people") },
  { name: "admin-empty-person", at: inNew("/consents/nobody") },
  { name: "admin-empty-transfers", at: inNew("/transfers") },
  { name: "admin-empty-webhooks", at: inNew("/webhooks") },
  { name: "admin-empty-team", at: inNew("/team") },
  { name: "admin-empty-audit", at: inNew("/audit?event=consents.erased") },
];

/** Screens that wait for the service. */
const slow: readonly AdminScene[] = [
  { name: "admin-slow-projects", at: () => "/projects", network: "slow" },
  { name: "admin-slow-project", at: inProject(), network: "slow" },
  { name: "admin-slow-banner", at: editor("cookies"), network: "slow" },
  { name: "admin-slow-statistics", at: inProject("/statistics"), network: "slow" },
  { name: "admin-slow-consents", at: inProject("/consents"), network: "slow" },
  { name: "admin-slow-account", at: () => "/account", network: "slow" },
  { name: "admin-slow-files", at: () => "/assets", network: "slow" },
  {
    name: "admin-slow-invitation",
    at: () => "/invitation?token=a",
    who: "nobody",
    network: "slow",
  },
];

/** Screens while the service fails or is unreachable. */
const broken: readonly AdminScene[] = [
  { name: "admin-broken-projects", at: () => "/projects", network: "broken" },
  { name: "admin-broken-project", at: inProject(), network: "broken" },
  { name: "admin-broken-banner", at: editor("cookies"), network: "broken" },
  { name: "admin-broken-person", at: onPerson, network: "broken" },
  { name: "admin-broken-account", at: () => "/account", network: "broken" },
  { name: "admin-gone-publish", at: inProject("/publish"), network: "gone" },
  { name: "admin-gone-log", at: inProject("/log"), network: "gone", language: "fr" },
  { name: "admin-invitation-ended", at: () => "/invitation?token=a", who: "nobody" },
  { name: "admin-reset-ended", at: () => "/reset", who: "nobody" },
];

const more: readonly AdminScene[] = [
  { name: "admin-plan-late", at: ({ journal }) => `/organizations/${journal.organizationId}/plan` },
  { name: "admin-banner-french", at: editor("cookies"), language: "fr" },
  { name: "admin-publish-french", at: inProject("/publish"), language: "fr" },
  { name: "admin-statistics-french", at: inProject("/statistics"), language: "fr" },
  { name: "admin-consents-french", at: inProject("/consents"), language: "fr" },
  { name: "admin-webhook-french", at: onWebhook, language: "fr" },
  { name: "admin-account-french", at: () => "/account", language: "fr" },
  { name: "admin-statistics-language", at: inProject("/statistics"), act: turn("By language") },
  { name: "person-refused", at: ({ refuserUrl }) => refuserUrl, who: "nobody" },
  { name: "person-changed", at: ({ personUrl }) => personUrl, act: withdraw, who: "nobody" },
];

/** All states of screens other than the usual one with data. */
export const stateScenes: readonly AdminScene[] = [
  ...dialogs,
  ...rights,
  ...empty,
  ...slow,
  ...broken,
  ...more,
];

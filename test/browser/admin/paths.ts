/** The test of each screen's main path: its file, and its name. */
export const paths: Readonly<Record<string, readonly [file: string, name: string]>> = {
  "/signin": [
    "sign-in",
    "a wrong password is reported and keeps the form; the right one leads to the requested screen",
  ],
  "/signup": ["sign-in", "the keyboard alone signs in and creates a project"],
  "/forgot": [
    "sign-in",
    "a forgotten password is reset by a mailed link, which leaves no token in the URL",
  ],
  "/reset": [
    "sign-in",
    "a forgotten password is reset by a mailed link, which leaves no token in the URL",
  ],
  "/invitation": [
    "sign-in",
    "an invitation is accepted with a new account, and leads to the project",
  ],
  "/transfer": [
    "transfer",
    "a project is offered by mail, reviewed, accepted with a new account into a new organization, and leaves the old owner",
  ],
  "/claim": ["instance", "the link of the start makes a new account the operator, once"],
  "/instance": ["instance", "an operator closes sign-ups, adds another operator and removes them"],
  "/signin/finish": [
    "sign-in-methods",
    "a provider signs users in; such a user has one method, and may request a password",
  ],
  "/projects": [
    "screens",
    "the list shows live versions and later changes, and links to the project",
  ],
  "/projects/new": [
    "onboarding",
    "takes at most eight clicks and three minutes with a real scan, and turns green at the first visitor",
  ],
  "/projects/bulk": [
    "bulk",
    "checks the rows of a file, creates the valid ones once, and saves the others with their reasons",
  ],
  "/projects/move-in": [
    "move-in",
    "reads files in the browser, shows the proposal and its report, and creates the project",
  ],
  "/projects/:projectId": [
    "screens",
    "the list shows live versions and later changes, and links to the project",
  ],
  "/projects/:projectId/scans": [
    "scans",
    "a scan shows its progress and findings, and adds the services that it found as vendors",
  ],
  "/projects/:projectId/scans/:scanId": [
    "scans",
    "a scan shows its progress and findings, and adds the services that it found as vendors",
  ],
  "/projects/:projectId/consents": ["consents", "are found by token, token prefix, answer and day"],
  "/projects/:projectId/consents/:token": [
    "consents",
    "for one token show the current and earlier states, and a proof that the browser verifies",
  ],
  "/projects/:projectId/webhooks": [
    "webhooks",
    "are created, tested, sent again, replayed, given a new secret and deleted",
  ],
  "/projects/:projectId/webhooks/:webhookId": [
    "webhooks",
    "are created, tested, sent again, replayed, given a new secret and deleted",
  ],
  "/projects/:projectId/transfers": [
    "transfers",
    "a file is checked, then imported; rejected lines are listed; an export has all records",
  ],
  "/projects/:projectId/activity": [
    "activity",
    "the activity shows edits of a person in a row as one sentence, with links and filters",
  ],
  "/projects/:projectId/audit": [
    "trail",
    "the audit trail lists who did what, can be searched, and is downloaded as a file",
  ],
  "/projects/:projectId/log": [
    "trail",
    "the transparency log is checked in the browser: it has grown, and a forged one is detected",
  ],
  "/projects/:projectId/statistics": [
    "statistics",
    "show displays and answers, over time and by group, each with a table and a file",
  ],
  "/projects/:projectId/start": [
    "onboarding",
    "takes at most eight clicks and three minutes with a real scan, and turns green at the first visitor",
  ],
  "/projects/:projectId/reviews": [
    "reviews",
    "an owner asks for a review, an editor and a lawyer approve the draft, and it is published",
  ],
  "/projects/:projectId/publish": [
    "screens",
    "publishing shows its six steps and the re-consent, and restores an earlier version",
  ],
  "/projects/:projectId/settings": [
    "settings",
    "a finding leads to the field that causes it; with that filled in, the project is published without it",
  ],
  "/projects/:projectId/team": ["screens", "a team is invited, changed and left"],
  "/projects/:projectId/cookies": [
    "editor-saving",
    "banners are created, copied into a language, made the default, and deleted",
  ],
  "/projects/:projectId/cookies/:documentId": [
    "editor",
    "edits a banner: the real widget previews it, findings are beside their fields, and edits are saved",
  ],
  "/projects/:projectId/boxes": [
    "box-editor",
    "a consent form is written, previewed, and fixed by the findings of the publish check",
  ],
  "/projects/:projectId/processings/:documentId": [
    "box-editor",
    "a consent form is written, previewed, and fixed by the findings of the publish check",
  ],
  "/projects/:projectId/contracts/:documentId": [
    "box-editor",
    "a contract form previews its checkbox; an invalid document address is reported beside its field",
  ],
  "/notifications": [
    "notifications",
    "the bell counts them, the list marks them as read, and the account has the choices",
  ],
  "/assets": [
    "assets",
    "are uploaded by button, drop and paste; a rejected file does not stop the others",
  ],
  "/assets/:assetId": [
    "assets",
    "have renders: configured, previewed, with their size, and copied",
  ],
  "/organizations": [
    "organizations",
    "are created and renamed, get a project of their owner, and release it",
  ],
  "/organizations/:organizationId": [
    "organizations",
    "are created and renamed, get a project of their owner, and release it",
  ],
  "/organizations/:organizationId/team": [
    "organizations",
    "invite people and cancel invitations; the only owner cannot leave, another can",
  ],
  "/organizations/:organizationId/plan": [
    "plan",
    "is chosen, paid at Stripe and active on return; a cancelled checkout changes nothing",
  ],
  "/organizations/:organizationId/plan/:outcome": [
    "plan",
    "is chosen, paid at Stripe and active on return; a cancelled checkout changes nothing",
  ],
  "/account": [
    "screens",
    "sessions end, keys are created, shown once and revoked, and the password is changed",
  ],
  "/account/linked": [
    "sign-in-methods",
    "a provider is added to an account and signs in to it; the password goes, but not the last method",
  ],
};

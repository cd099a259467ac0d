/** Of each screen the test that goes through what is done there: its file, and its name. */
export const paths: Readonly<Record<string, readonly [file: string, name: string]>> = {
  "/signin": [
    "sign-in",
    "a wrong password is told, and what was typed stays; the right one leads to what was asked for",
  ],
  "/signup": ["sign-in", "the keyboard alone signs in and makes a project"],
  "/forgot": [
    "sign-in",
    "a forgotten password is set anew by the link of a mail, which leaves no token in the address",
  ],
  "/reset": [
    "sign-in",
    "a forgotten password is set anew by the link of a mail, which leaves no token in the address",
  ],
  "/invitation": [
    "sign-in",
    "an invitation is accepted with a new account, and leads to the project",
  ],
  "/signin/finish": [
    "ways",
    "the way to the provider and back signs in; who came so has one way, and may ask for a password",
  ],
  "/projects": [
    "screens",
    "the list tells what is live and what was changed since, and leads on by its links",
  ],
  "/projects/new": [
    "first-banner",
    "takes no more than twelve clicks and three minutes, and the first answer is seen",
  ],
  "/projects/:projectId": [
    "screens",
    "the list tells what is live and what was changed since, and leads on by its links",
  ],
  "/projects/:projectId/consents": [
    "consents",
    "are found by token, by answer and by day, and by how a token begins",
  ],
  "/projects/:projectId/consents/:token": [
    "consents",
    "of one token: what holds now and held before, its proof, checked in the browser",
  ],
  "/projects/:projectId/webhooks": [
    "webhooks",
    "are made, tested, sent again, replayed, given another secret and deleted",
  ],
  "/projects/:projectId/webhooks/:webhookId": [
    "webhooks",
    "are made, tested, sent again, replayed, given another secret and deleted",
  ],
  "/projects/:projectId/transfers": [
    "transfers",
    "a file is checked, then imported; refused lines are told; it comes out again whole",
  ],
  "/projects/:projectId/audit": [
    "trail",
    "the audit log tells who did what, is searched, and is taken away as a file",
  ],
  "/projects/:projectId/log": [
    "trail",
    "the transparency log is checked in the browser: it grew, and a forged one is found out",
  ],
  "/projects/:projectId/statistics": [
    "statistics",
    "tell what was shown and answered, over time and by group, each with its table and file",
  ],
  "/projects/:projectId/start": [
    "first-banner",
    "takes no more than twelve clicks and three minutes, and the first answer is seen",
  ],
  "/projects/:projectId/publish": [
    "screens",
    "publishing shows its six steps and what is asked again, and an earlier version is put back",
  ],
  "/projects/:projectId/settings": [
    "settings",
    "a finding leads to the field that causes it; filled in, the project is published without it",
  ],
  "/projects/:projectId/team": ["screens", "a team is invited, changed and left"],
  "/projects/:projectId/cookies": [
    "editor-saving",
    "banners are made, copied into a language, made the default, and deleted",
  ],
  "/projects/:projectId/cookies/:documentId": [
    "editor",
    "writes a banner: the real widget shows it, the publish check speaks beside the field, and it saves itself",
  ],
  "/projects/:projectId/boxes": [
    "box-editor",
    "a consent box is written, seen in a form, and mended by what the publish check says",
  ],
  "/projects/:projectId/processings/:documentId": [
    "box-editor",
    "a consent box is written, seen in a form, and mended by what the publish check says",
  ],
  "/projects/:projectId/contracts/:documentId": [
    "box-editor",
    "a contract box shows its checkbox in a form; a document that is no address is told beside its field",
  ],
  "/assets": [
    "assets",
    "are uploaded by button, drop and paste; what is refused is told, and stops no other",
  ],
  "/assets/:assetId": ["assets", "have renders: put together, seen, weighed, and copied"],
  "/organizations": [
    "organizations",
    "one is made, renamed, gets a project of its owner's, and lets it go again",
  ],
  "/organizations/:organizationId": [
    "organizations",
    "one is made, renamed, gets a project of its owner's, and lets it go again",
  ],
  "/organizations/:organizationId/team": [
    "organizations",
    "people are invited, wait, and are not invited any more; the only owner cannot leave, another can",
  ],
  "/organizations/:organizationId/plan": [
    "plan",
    "a plan is chosen, paid at Stripe, and there when one comes back; what was left is as it was",
  ],
  "/organizations/:organizationId/plan/:outcome": [
    "plan",
    "a plan is chosen, paid at Stripe, and there when one comes back; what was left is as it was",
  ],
  "/account": [
    "screens",
    "sessions end, keys are made, shown once and revoked, and the password is changed",
  ],
  "/account/linked": [
    "ways",
    "a provider is added to an account and signs in to it, the password goes, and the last way stays",
  ],
};

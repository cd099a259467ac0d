import type { Page } from "playwright-core";
import type { AdminSite } from "./admin-site.ts";

type Act = (page: Page) => Promise<unknown>;

/** A screen in a state. */
export interface AdminScene {
  name: string;
  /** Where in the app; a whole address: of another page of the service. */
  at: (site: AdminSite) => string;
  /** What is done before the picture is taken. */
  act?: Act;
  /** Whether nobody is signed in. */
  isOpen?: boolean;
  language?: string;
}

const press =
  (...names: string[]): Act =>
  async (page) => {
    for (const name of names) await page.getByRole("button", { name }).first().click();
  };
const turn =
  (name: string): Act =>
  (page) =>
    page.getByRole("tab", { name, exact: true }).click();
const inProject =
  (screen = "") =>
  ({ projectId }: AdminSite): string =>
    `/projects/${projectId}${screen}`;
const inNew =
  (screen = "") =>
  ({ emptyId }: AdminSite): string =>
    `/projects/${emptyId}${screen}`;
const inOrganization =
  (screen = "") =>
  ({ organizationId }: AdminSite): string =>
    `/organizations/${organizationId}${screen}`;
const editor =
  (kind: "cookies" | "processings" | "contracts") =>
  ({ projectId, configurations }: AdminSite): string =>
    `/projects/${projectId}/${kind}/${configurations[kind]}`;

/** Opens the first person, and checks the proof of what they answered last. */
const checkPerson: Act = async (page) => {
  await page.locator(".row-link").first().click();
  await page.locator("summary").first().click();
  await page.getByRole("button", { name: "Check it here" }).first().click();
  await page.locator(".report").waitFor();
};

const erasePerson: Act = async (page) => {
  await page.locator(".row-link").first().click();
  await page.getByRole("button", { name: "Erase this person" }).click();
};

const openDetails: Act = async (page) => {
  for (const summary of await page.locator("summary").all()) await summary.click();
};

/** Every screen that there is, one in a line. */
export const adminScenes: readonly AdminScene[] = [
  { name: "admin-sign-in", at: () => "/signin", isOpen: true },
  { name: "admin-sign-up", at: () => "/signup", isOpen: true },
  { name: "admin-forgot", at: () => "/forgot", isOpen: true, language: "fr" },
  { name: "admin-reset", at: () => "/reset?token=a", isOpen: true },
  { name: "admin-invitation", at: (site) => `/invitation?token=${site.invitation}`, isOpen: true },
  { name: "admin-projects", at: () => "/projects" },
  { name: "admin-create", at: () => "/projects/new", act: press("Create the project") },
  { name: "admin-start", at: inNew("/start") },
  { name: "admin-project", at: inProject() },
  { name: "admin-project-new", at: inNew() },
  { name: "admin-project-french", at: inProject(), language: "fr" },
  { name: "admin-banners", at: inProject("/cookies") },
  { name: "admin-banner", at: editor("cookies") },
  { name: "admin-banner-words", at: editor("cookies"), act: turn("Words") },
  { name: "admin-banner-design", at: editor("cookies"), act: turn("Design") },
  { name: "admin-banner-settings", at: editor("cookies"), act: turn("Settings") },
  { name: "admin-boxes", at: inProject("/boxes") },
  { name: "admin-consent-box", at: editor("processings") },
  { name: "admin-contract-box", at: editor("contracts") },
  { name: "admin-publish", at: inProject("/publish") },
  { name: "admin-publish-changes", at: inProject("/publish"), act: press("Changes 1") },
  { name: "admin-publish-nothing", at: inNew("/publish") },
  { name: "admin-files", at: () => "/assets" },
  { name: "admin-file", at: ({ assetId }) => `/assets/${assetId}` },
  { name: "admin-statistics", at: inProject("/statistics") },
  { name: "admin-statistics-step", at: inProject("/statistics"), act: turn("By step") },
  { name: "admin-statistics-device", at: inProject("/statistics"), act: turn("By device") },
  { name: "admin-statistics-empty", at: inNew("/statistics") },
  { name: "admin-consents", at: inProject("/consents") },
  { name: "admin-people", at: inProject("/consents?view=people") },
  { name: "admin-person", at: inProject("/consents"), act: checkPerson },
  { name: "admin-person-erase", at: inProject("/consents"), act: erasePerson },
  { name: "admin-transfers", at: inProject("/transfers") },
  { name: "admin-webhooks", at: inProject("/webhooks") },
  { name: "admin-webhooks-new", at: inProject("/webhooks"), act: press("New webhook") },
  { name: "admin-webhook", at: (site) => inProject(`/webhooks/${site.webhookId}`)(site) },
  {
    name: "admin-webhook-change",
    at: (site) => inProject(`/webhooks/${site.webhookId}`)(site),
    act: press("Change"),
  },
  {
    name: "admin-webhook-tries",
    at: (site) => inProject(`/webhooks/${site.webhookId}`)(site),
    act: press("Tries"),
  },
  { name: "admin-team", at: inProject("/team") },
  { name: "admin-team-invite", at: inProject("/team"), act: press("Invite somebody") },
  { name: "admin-audit", at: inProject("/audit") },
  { name: "admin-log", at: inProject("/log"), act: press("Check now") },
  { name: "admin-organizations", at: () => "/organizations" },
  { name: "admin-organization", at: inOrganization() },
  { name: "admin-organization-team", at: inOrganization("/team") },
  { name: "admin-organization-plan", at: inOrganization("/plan") },
  { name: "admin-account", at: () => "/account" },
  { name: "admin-account-key", at: () => "/account", act: press("New API key") },
  { name: "admin-missing", at: () => "/nowhere" },
  { name: "demo", at: ({ personUrl }) => new URL("/demo", personUrl).href, isOpen: true },
  { name: "person", at: ({ personUrl }) => personUrl, isOpen: true },
  { name: "person-words", at: ({ personUrl }) => personUrl, act: openDetails, isOpen: true },
  { name: "person-french", at: ({ personUrl }) => personUrl, isOpen: true, language: "fr" },
  { name: "person-gone", at: ({ personUrl }) => `${personUrl}x`, isOpen: true },
];

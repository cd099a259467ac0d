import type { Page } from "playwright-core";
import type { AdminSite, Who } from "./site.ts";
import type { Network } from "./network.ts";

/** Prepares a screen before its screenshot. */
export type Act = (page: Page, site: AdminSite) => Promise<unknown>;

/** A screen in one of its states. */
export interface AdminScene {
  name: string;
  /** The path in the app, or the URL of another page of the service. */
  at: (site: AdminSite) => string;
  act?: Act;
  /** The owner by default. */
  who?: Who;
  language?: string;
  /** The behaviour of the service; normal by default. */
  network?: Network;
}

export const inProject =
  (screen = "") =>
  ({ projectId }: AdminSite): string =>
    `/projects/${projectId}${screen}`;
export const inNew =
  (screen = "") =>
  ({ emptyId }: AdminSite): string =>
    `/projects/${emptyId}${screen}`;
export const inOrganization =
  (screen = "") =>
  ({ organizationId }: AdminSite): string =>
    `/organizations/${organizationId}${screen}`;
export const editor =
  (kind: "cookies" | "processings" | "contracts") =>
  ({ projectId, configurations }: AdminSite): string =>
    `/projects/${projectId}/${kind}/${configurations[kind]}`;
export const inJournal = ({ journal }: AdminSite): string =>
  `/projects/${journal.projectId}/cookies/${journal.bannerId}`;
export const onWebhook = ({ projectId, webhookId }: AdminSite): string =>
  `/projects/${projectId}/webhooks/${webhookId}`;
export const onScan = ({ projectId, scanId }: AdminSite): string =>
  `/projects/${projectId}/scans/${scanId}`;
export const onPerson = ({ projectId, personToken }: AdminSite): string =>
  `/projects/${projectId}/consents/${personToken}`;

export const press =
  (...names: string[]): Act =>
  async (page) => {
    for (const name of names) await page.getByRole("button", { name }).first().click();
  };
export const turn =
  (name: string): Act =>
  (page) =>
    page.getByRole("tab", { name, exact: true }).click();

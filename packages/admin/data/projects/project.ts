import { signal } from "@preact/signals";
import {
  type Project,
  getProject,
  listContracts,
  listCookieConfigurations,
  listProcessings,
  listProjectUsers,
} from "@avow/client/operations";
import { send, sendWhole } from "../../api/send.ts";
import { me } from "../session.ts";

/** A project as screens show it: what the service says of it beside its own fields. */
export interface ShownProject {
  id: string;
  title: string;
  site: string;
  isLive: boolean;
  /** The plan's name. */
  plan: string;
  publishedAt: string | undefined;
  /** Null: it stands by itself. */
  organizationId: string | null;
}

/** What projects and organizations that were read are called, for the navigation. */
export const titles = signal<Readonly<Record<string, string>>>({});

/** A document of the vault as a project to show. */
export function toShownProject(project: Project): ShownProject {
  const { id, title = "", websiteURL = "", organizationId = null } = project;
  const { lastPublishedAt } = (project["metadata"] ?? {}) as { lastPublishedAt?: string };
  const { plan = "free" } = (project["billing"] ?? {}) as { plan?: string };
  titles.value = { ...titles.peek(), [id]: title };
  const isLive = project["active"] === true;
  const publishedAt = lastPublishedAt;
  return { id, title, site: websiteURL, isLive, plan, publishedAt, organizationId };
}

/** Reads a project. @throws Problem */
export async function readProject(id: string): Promise<ShownProject> {
  return toShownProject(await send(getProject, { path: { documentId: id } }));
}

const countLists = [listCookieConfigurations, listProcessings, listContracts] as const;

/** How many configurations a project has: what visitors are asked. @throws Problem */
export async function countConfigurations(projectId: string): Promise<number> {
  const counts = await Promise.all(countLists.map((list) => countOf(list, projectId)));
  return counts.reduce((sum, count) => sum + count, 0);
}

/** How many banners a project has. @throws Problem */
export function countBanners(projectId: string): Promise<number> {
  return countOf(listCookieConfigurations, projectId);
}

async function countOf(list: (typeof countLists)[number], projectId: string): Promise<number> {
  const asked = { query: { perPage: 1 }, filter: { projectId } };
  const { headers } = await sendWhole(list as typeof listCookieConfigurations, asked);
  return Number(headers.get("x-total-count") ?? 0);
}

export type Role = "owner" | "editor" | "viewer" | "auditor";

/** The roles that whoever is signed in has on a project. @throws Problem */
export async function readRoles(projectId: string): Promise<readonly Role[]> {
  const users = await send(listProjectUsers, { path: { documentId: projectId } });
  return users.find(({ userId }) => userId === me.peek()?.id)?.roles ?? [];
}

/** Whether somebody with these roles writes and publishes. */
export function mayWrite(roles: readonly Role[]): boolean {
  return roles.includes("owner") || roles.includes("editor");
}

/** An address without what all of them begin with. */
export function toHost(site: string): string {
  return site.replace(/^https?:\/\//, "").replace(/\/$/, "");
}

import { signal } from "@preact/signals";
import { readList } from "@avow/contract/json";
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

/** A project with the service's fields, as screens show it. */
export interface ShownProject {
  id: string;
  title: string;
  site: string;
  isLive: boolean;
  plan: string;
  publishedAt: string | undefined;
  createdAt: string;
  updatedAt: string;
  /** Null: none. */
  organizationId: string | null;
  groups: readonly string[];
  isTemplate: boolean;
  /** The template that it follows; undefined: none. */
  templateId: string | undefined;
}

/** The titles of loaded projects and organizations, by id, for the navigation. */
export const titles = signal<Readonly<Record<string, string>>>({});

/** Converts a vault document. */
export function toShownProject(project: Project): ShownProject {
  const { id, title = "", websiteURL = "", organizationId = null } = project;
  const { lastPublishedAt } = (project["metadata"] ?? {}) as { lastPublishedAt?: string };
  const { plan = "free" } = (project["billing"] ?? {}) as { plan?: string };
  titles.value = { ...titles.peek(), [id]: title };
  const isLive = project["active"] === true;
  const publishedAt = lastPublishedAt;
  const { createdAt, updatedAt } = project;
  return {
    id,
    title,
    site: websiteURL,
    isLive,
    plan,
    publishedAt,
    createdAt,
    updatedAt,
    organizationId,
    groups: toGroupsOf(project),
    isTemplate: project.isTemplate === true,
    templateId: project.templateId ?? undefined,
  };
}

/** The names of a project's groups; other values of older documents are left out. */
export function toGroupsOf(project: { readonly [name: string]: unknown }): readonly string[] {
  return readList(project["groups"]).filter((name) => typeof name === "string");
}

/** Reads a project. @throws Problem */
export async function readProject(id: string): Promise<ShownProject> {
  return toShownProject(await send(getProject, { path: { documentId: id } }));
}

const countLists = [listCookieConfigurations, listProcessings, listContracts] as const;

/** The number of configurations of a project. @throws Problem */
export async function countConfigurations(projectId: string): Promise<number> {
  const counts = await Promise.all(countLists.map((list) => countOf(list, projectId)));
  return counts.reduce((sum, count) => sum + count, 0);
}

/** The number of banners of a project. @throws Problem */
export function countBanners(projectId: string): Promise<number> {
  return countOf(listCookieConfigurations, projectId);
}

async function countOf(list: (typeof countLists)[number], projectId: string): Promise<number> {
  const asked = { query: { perPage: 1 }, filter: { projectId } };
  const { headers } = await sendWhole(list as typeof listCookieConfigurations, asked);
  return Number(headers.get("x-total-count") ?? 0);
}

export type Role = "owner" | "editor" | "viewer" | "auditor";

/** The signed-in user's roles on a project. @throws Problem */
export async function readRoles(projectId: string): Promise<readonly Role[]> {
  const users = await send(listProjectUsers, { path: { documentId: projectId } });
  return users.find(({ userId }) => userId === me.peek()?.id)?.roles ?? [];
}

/** Whether these roles may write and publish. */
export function mayWrite(roles: readonly Role[]): boolean {
  return roles.includes("owner") || roles.includes("editor");
}

/** An address without its scheme and trailing slash. */
export function toHost(site: string): string {
  return site.replace(/^https?:\/\//, "").replace(/\/$/, "");
}

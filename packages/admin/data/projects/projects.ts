import {
  type ClientProject,
  getClientProject,
  listClientProjects,
  listProjects,
} from "@avow/client/operations";
import { asProblem } from "../../api/problem.ts";
import { send, sendWhole } from "../../api/send.ts";
import { type ShownProject, titles, toShownProject } from "./project.ts";

/** Maximum page size. */
const PROJECTS_MAX = 1_000;

/** All projects that the user sees in any role, by id and title. @throws Problem */
export async function readProjectNames(): Promise<readonly ProjectName[]> {
  const all = await send(listClientProjects, { query: { perPage: PROJECTS_MAX } });
  return all.map(({ id, name }) => [id, name] as const);
}

export type ProjectName = readonly [id: string, title: string];

/** A project that a search has found. */
export interface FoundProject {
  id: string;
  title: string;
  site: string;
}

/**
 * Finds projects by a part of their title, their address or a group, newest change first; without a text, the newest ones. The service
 * searches all projects whose configuration the user may read; `readAudited` returns the others. @throws Problem
 */
export async function searchProjects({
  text,
  limit,
  readAudited,
}: {
  text: string;
  limit: number;
  readAudited: AuditedReader;
}): Promise<readonly FoundProject[]> {
  const search = (filter: Record<string, string>) =>
    sendWhole(listProjects, { query: { perPage: limit, sort: "-updatedAt" }, filter });
  const searches =
    text === ""
      ? [search({})]
      : ["title", "websiteURL", "groups"].map((field) => search({ [`${field}[contains]`]: text }));
  const [pages, all] = await Promise.all([Promise.all(searches), readAudited()]);
  const wanted = text.toLowerCase();
  const audited = all.filter(({ title, site }) =>
    `${title} ${site}`.toLowerCase().includes(wanted),
  );
  const found = [...pages.flatMap(({ body }) => body.map(toShownProject)), ...audited];
  return [...new Map(found.map((one) => [one.id, one])).values()].slice(0, limit);
}

/** The titles of projects. Projects that the user can no longer see are left out. @throws Problem */
export async function readNamesOf(ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const read = async (id: string): Promise<ProjectName[]> => {
    try {
      return [[id, (await send(getClientProject, { path: { id } })).name]];
    } catch (error) {
      if (asProblem(error).kind === "not-found") return [];
      throw error;
    }
  };
  return new Map((await Promise.all([...new Set(ids)].map(read))).flat());
}

/** Page size of client projects: each comes with its configurations, and a response has at most 10,000 of them. */
const SEEN_PER_PAGE = 100;

/** A project as an auditor sees it, without its configuration. */
export interface AuditedProject {
  id: string;
  title: string;
  site: string;
  publishedAt: string | undefined;
}

/** A page of projects: first those in the vault, newest change first, then the audited ones. */
export interface ProjectsPage {
  all: readonly ShownProject[];
  audited: readonly AuditedProject[];
  /** The number of both. */
  total: number;
}

/** Orders of the list of projects that the service has. */
const projectOrders = ["title", "-title", "createdAt", "-createdAt", "updatedAt"] as const;
type ProjectOrder = (typeof projectOrders)[number] | "-updatedAt";

/** The order of an address; an unknown one counts as the newest change first. */
export function toProjectOrder(asked: string): ProjectOrder {
  return projectOrders.find((one) => one === asked) ?? "-updatedAt";
}

interface ProjectsQuery {
  /** 1-based. */
  page: number;
  perPage: number;
  sort: ProjectOrder;
  /** A part of the title; empty: all projects. */
  text: string;
  /** The name of a group; empty: all projects. */
  group: string;
  readAudited: AuditedReader;
}

/** The filter of the list of projects, as the service takes it. */
function toProjectsFilter({
  text,
  group,
}: Pick<ProjectsQuery, "text" | "group">): Record<string, string> {
  return {
    ...(text === "" ? {} : { "title[contains]": text }),
    ...(group === "" ? {} : { groups: group }),
  };
}

/**
 * A page of all projects that the user sees in any role, whose title contains a text and that are in a group: first those of
 * the vault, then the audited ones, whose groups auditors do not see. @throws Problem
 */
export async function readProjectsPage({
  page,
  perPage,
  sort,
  text,
  group,
  readAudited,
}: ProjectsQuery): Promise<ProjectsPage> {
  const filter = toProjectsFilter({ text, group });
  const [vault, all] = await Promise.all([
    sendWhole(listProjects, { query: { page, perPage, sort }, filter }),
    group === "" ? readAudited() : [],
  ]);
  const readable = toTotal(vault);
  const wanted = text.toLowerCase();
  const audited = all.filter(({ title }) => title.toLowerCase().includes(wanted));
  const from = (page - 1) * perPage - readable;
  return {
    all: vault.body.map(toShownProject),
    audited: audited.slice(Math.max(0, from), Math.max(0, from + perPage)),
    total: readable + audited.length,
  };
}

function toTotal({ headers }: { headers: Headers }): number {
  return Number(headers.get("x-total-count"));
}

/** Reads the audited projects. @throws Problem */
type AuditedReader = () => Promise<readonly AuditedProject[]>;

/**
 * Creates a reader of the audited projects, which the vault does not list: those among the first 1,000 projects that the user
 * sees.
 */
export function createAuditedReader(): AuditedReader {
  return createReader(readAudited);
}

/** Creates a reader that asks the service once, and again after a failure. */
export function createReader<T>(read: () => Promise<T>): () => Promise<T> {
  let reading: Promise<T> | undefined;
  return async () => {
    try {
      return await (reading ??= read());
    } catch (error) {
      reading = undefined;
      throw error;
    }
  };
}

async function readAudited(): Promise<readonly AuditedProject[]> {
  const [one, readable] = await Promise.all([
    sendWhole(listClientProjects, { query: { perPage: 1 } }),
    sendWhole(listProjects, { query: { perPage: 1 } }),
  ]);
  const seen = toTotal(one);
  if (seen <= toTotal(readable)) return [];
  const last = Math.ceil(Math.min(seen, PROJECTS_MAX) / SEEN_PER_PAGE);
  const pages = await Promise.all(
    Array.from({ length: last }, (_, at) =>
      send(listClientProjects, { query: { page: at + 1, perPage: SEEN_PER_PAGE } }),
    ),
  );
  // Projects whose configuration the user may read have a link to it.
  return pages.flat().filter(({ links }) => links["configuration"] === undefined).map(toAudited);
}

function toAudited({ id, name, website, configuration }: ClientProject): AuditedProject {
  const { lastPublishedAt } = (configuration["metadata"] ?? {}) as { lastPublishedAt?: string };
  titles.value = { ...titles.peek(), [id]: name };
  return { id, title: name, site: website, publishedAt: lastPublishedAt };
}

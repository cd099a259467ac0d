import type { Client } from "./client.ts";
import { createProject, listOrganizations, listProjects } from "./operations.ts";

const PER_PAGE = 1_000;
/** Maximum number of values of a filter. */
const VALUES_MAX = 20;

interface NamedDocument {
  id: string;
  name: string;
}

/** The organizations and the template projects that the caller may use, and the projects with some addresses. @throws Problem */
export async function readSiteSurroundings(
  { send }: Pick<Client, "send">,
  addresses: readonly string[],
  signal?: AbortSignal,
): Promise<{
  organizations: NamedDocument[];
  templates: NamedDocument[];
  existing: (NamedDocument & { websiteURL: string })[];
}> {
  const options = signal ? { signal } : {};
  const readProjects = (filter: Record<string, string | readonly string[]>) =>
    readPages((query) => send(listProjects, { query, filter }, options));
  const organizations = await readPages((query) => send(listOrganizations, { query }, options));
  const templates = await readProjects({ "data.isTemplate": "true" });
  const existing: (NamedDocument & { websiteURL: string })[] = [];
  for (let at = 0; at < addresses.length; at += VALUES_MAX) {
    const found = await readProjects({ websiteURL: addresses.slice(at, at + VALUES_MAX) });
    for (const { id, title = "", websiteURL = "" } of found)
      existing.push({ id, name: title, websiteURL });
  }
  return {
    organizations: organizations.map(({ id, name = "" }) => ({ id, name })),
    templates: templates.map(({ id, title = "" }) => ({ id, name: title })),
    existing,
  };
}

/** The items of all pages of a list. */
async function readPages<T>(
  readPage: (query: { page: number; perPage: number }) => Promise<readonly T[]>,
): Promise<T[]> {
  const items: T[] = [];
  for (let page = 1; ; page += 1) {
    const found = await readPage({ page, perPage: PER_PAGE });
    items.push(...found);
    if (found.length < PER_PAGE) return items;
  }
}

/** Creates a project, once for each key; returns its id. @throws Problem */
export async function createSite(
  { send }: Pick<Client, "send">,
  site: { title: string; websiteURL: string },
  idempotencyKey: string,
  signal?: AbortSignal,
): Promise<string> {
  const { id } = await send(
    createProject,
    { body: { ...site }, idempotencyKey },
    signal ? { signal } : {},
  );
  return id;
}

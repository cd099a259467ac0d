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
  const query = { perPage: PER_PAGE };
  const organizations = await send(listOrganizations, { query }, options);
  const filter = { "data.isTemplate": "true" };
  const templates = await send(listProjects, { query, filter }, options);
  const existing: (NamedDocument & { websiteURL: string })[] = [];
  // A comma separates the values of a filter.
  const searched = addresses.filter((address) => !address.includes(","));
  for (let at = 0; at < searched.length; at += VALUES_MAX) {
    const values = searched.slice(at, at + VALUES_MAX).join(",");
    const found = await send(
      listProjects,
      { query, filter: { "websiteURL[in]": values } },
      options,
    );
    for (const { id, title = "", websiteURL = "" } of found)
      existing.push({ id, name: title, websiteURL });
  }
  return {
    organizations: organizations.map(({ id, name = "" }) => ({ id, name })),
    templates: templates.map(({ id, title = "" }) => ({ id, name: title })),
    existing,
  };
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

import {
  type Organization,
  getOrganization,
  listOrganizations,
  listProjects,
  patchProject,
} from "@avow/client/operations";
import { send, sendWhole } from "../../api/send.ts";
import { type Role, type ShownProject, titles, toShownProject } from "./project.ts";

/** Maximum page size. With more organizations, projects of the others are shown without the organization's name. */
const NAMES_MAX = 1_000;

/** The name of an organization; also stores it for the navigation. */
export function toName({ id, name = "" }: Organization): string {
  titles.value = { ...titles.peek(), [id]: name };
  return name;
}

/** Reads an organization. @throws Problem */
export async function readOrganization(id: string): Promise<{ id: string; name: string }> {
  return { id, name: toName(await send(getOrganization, { path: { documentId: id } })) };
}

/** The names of the user's organizations, or of those on which the user has a role, by id. @throws Problem */
export async function readNames(role?: Role): Promise<ReadonlyMap<string, string>> {
  const query = { perPage: NAMES_MAX, ...(role && { role }) };
  const all = await send(listOrganizations, { query });
  return new Map(all.map((one) => [one.id, toName(one)]));
}

/** Ids and names of organizations whose name contains a text, newest change first. @throws Problem */
export async function searchOrganizations(
  text: string,
  limit: number,
): Promise<readonly (readonly [id: string, name: string])[]> {
  const query = { perPage: limit, sort: "-updatedAt" };
  const found = await send(listOrganizations, { query, filter: { "name[contains]": text } });
  return found.map((one) => [one.id, toName(one)]);
}

/** A page of the projects of an organization, and the total. @throws Problem */
export async function readProjectsOf(
  organizationId: string,
  { page, perPage }: { page: number; perPage: number },
): Promise<{ all: readonly ShownProject[]; total: number }> {
  const asked = { query: { page, perPage, sort: "title" }, filter: { organizationId } };
  const { body, headers } = await sendWhole(listProjects, asked);
  return { all: body.map(toShownProject), total: Number(headers.get("x-total-count")) };
}

/** Projects outside the organization, which their owners can move into it. @throws Problem */
export async function readProjectsBeside(organizationId: string): Promise<readonly ShownProject[]> {
  const query = { perPage: NAMES_MAX, sort: "title" };
  const all = await send(listProjects, { query });
  return all.map(toShownProject).filter((one) => one.organizationId !== organizationId);
}

/** Moves a project to an organization, or to none (null). @throws Problem */
export async function moveProject(id: string, organizationId: string | null): Promise<void> {
  await send(patchProject, { path: { documentId: id }, body: { organizationId } });
}

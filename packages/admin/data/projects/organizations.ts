import {
  type Organization,
  getOrganization,
  listOrganizations,
  listProjects,
  patchProject,
} from "@avow/client/operations";
import { send, sendWhole } from "../../api/send.ts";
import { type ShownProject, titles, toShownProject } from "./project.ts";

/** As many as a page has; who sees more finds the others' projects without their names. */
const NAMES_MAX = 1_000;

/** What an organization is called, remembered for the navigation. */
export function toName({ id, name = "" }: Organization): string {
  titles.value = { ...titles.peek(), [id]: name };
  return name;
}

/** Reads an organization. @throws Problem */
export async function readOrganization(id: string): Promise<{ id: string; name: string }> {
  return { id, name: toName(await send(getOrganization, { path: { documentId: id } })) };
}

/** What the organizations are called that whoever is signed in sees, by id. @throws Problem */
export async function readNames(): Promise<ReadonlyMap<string, string>> {
  const all = await send(listOrganizations, { query: { perPage: NAMES_MAX } });
  return new Map(all.map((one) => [one.id, toName(one)]));
}

/** A page of the projects of an organization, and how many there are. @throws Problem */
export async function readProjectsOf(
  organizationId: string,
  { page, perPage }: { page: number; perPage: number },
): Promise<{ all: readonly ShownProject[]; total: number }> {
  const asked = { query: { page, perPage, sort: "title" }, filter: { organizationId } };
  const { body, headers } = await sendWhole(listProjects, asked);
  return { all: body.map(toShownProject), total: Number(headers.get("x-total-count")) };
}

/** Projects that are elsewhere: they may be moved here, where their owner asks. @throws Problem */
export async function readProjectsBeside(organizationId: string): Promise<readonly ShownProject[]> {
  const query = { perPage: NAMES_MAX, sort: "title" };
  const all = await send(listProjects, { query });
  return all.map(toShownProject).filter((one) => one.organizationId !== organizationId);
}

/** Moves a project to an organization; null: to none. @throws Problem */
export async function moveProject(id: string, organizationId: string | null): Promise<void> {
  await send(patchProject, { path: { documentId: id }, body: { organizationId } });
}

import type { Client } from "@avow/client";
import { CommandError } from "../terminal/errors.ts";
import type { ProjectTree, Tree } from "./files/load.ts";
import { type Plan, planProject, planSharedVendors } from "./plan/plan.ts";
import {
  type StoredDocument,
  getOnly,
  listStoredOrganizations,
  listStoredProjects,
  readProject,
  readSharedVendors,
} from "./plan/stored.ts";

/** The documents on the service that a tree is about. */
export interface Target {
  projectId: string | undefined;
  organizationId: string | undefined;
  /** Whether a project that the service does not have is created. */
  creates: boolean;
  /** Whether stored documents without a file are deleted. */
  prune: boolean;
}

/** Compares a tree with the service. @throws FilesError, CommandError, Problem */
export async function planTree(
  client: Client,
  tree: Tree,
  target: Target,
  signal: AbortSignal,
): Promise<Plan> {
  const { projectId, organizationId } = await findTarget(client, tree, target, signal);
  const { prune } = target;
  const read = (owner: string | null) => readSharedVendors(client, owner, signal);
  if (!tree.isOrganization) {
    const [project] = tree.projects;
    if (!project) throw new Error("a tree of one project has none");
    const shared = await readOwnersVendors(client, { projectId, organizationId }, signal);
    const stored =
      projectId === undefined ? undefined : await readProject(client, projectId, shared, signal);
    const vendors = planSharedVendors([], shared, false);
    const input = { tree: project, stored, shared: vendors.vendors, prune };
    return {
      organizationId,
      shared: { ...vendors, kept: [] },
      projects: [await planProject(client, input, signal)],
    };
  }
  const storedVendors = await read(organizationId ?? null);
  const shared = planSharedVendors(tree.vendors, storedVendors, prune);
  const listed = await listStoredProjects(client, organizationId, signal);
  const projects: Plan["projects"] = [];
  for (const one of tree.projects) {
    const id = findByTitle(one, listed);
    const stored =
      id === undefined ? undefined : await readProject(client, id, storedVendors, signal);
    const input = { tree: one, stored, shared: shared.vendors, prune };
    projects.push(await planProject(client, input, signal));
  }
  return { organizationId, shared, projects };
}

async function readOwnersVendors(
  client: Client,
  { projectId, organizationId }: Pick<Target, "projectId" | "organizationId">,
  signal: AbortSignal,
): Promise<StoredDocument[]> {
  if (projectId === undefined) return readSharedVendors(client, organizationId ?? null, signal);
  const { organizationId: owner } = await readProject(client, projectId, [], signal);
  return readSharedVendors(client, owner, signal);
}

/** The project or organization of a tree, as far as the options do not name it. */
async function findTarget(
  client: Client,
  tree: Tree,
  { projectId, organizationId, creates }: Target,
  signal: AbortSignal,
): Promise<Pick<Target, "projectId" | "organizationId">> {
  if (tree.isOrganization) {
    if (projectId !== undefined)
      throw new CommandError(
        "The folder has several projects. Pass the folder of one with --project, or --organization.",
      );
    const found =
      organizationId ??
      getOnly(await listStoredOrganizations(client, signal), {
        noun: "organization",
        option: "--organization ID",
      }).id;
    return { projectId: undefined, organizationId: found };
  }
  const [project] = tree.projects;
  if (projectId !== undefined || !project) return { projectId, organizationId };
  const listed = await listStoredProjects(client, organizationId, signal);
  const found = findByTitle(project, listed);
  if (found !== undefined) return { projectId: found, organizationId };
  if (creates) return { projectId: undefined, organizationId };
  const known = listed.slice(0, 20).map(({ id, title }) => `  ${id}  ${String(title)}`);
  throw new CommandError(
    [
      `There is no project “${project.project.name}”. Pass --project ID to apply the files to another, or --create.`,
      ...known,
    ].join("\n"),
  );
}

/** The id of the project with the title of a file, or the one before. @throws CommandError when there are several */
function findByTitle(
  { project }: ProjectTree,
  listed: readonly { id: string; title?: unknown }[],
): string | undefined {
  for (const title of [project.name, project.renamedFrom]) {
    const [first, ...others] = listed.filter((one) => title !== undefined && one.title === title);
    if (others.length > 0)
      throw new CommandError(
        `There are ${others.length + 1} projects “${title}”. Give each a title of its own, or apply one folder with --project ID.`,
      );
    if (first) return first.id;
  }
  return undefined;
}

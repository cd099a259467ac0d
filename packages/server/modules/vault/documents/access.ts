import type { Project } from "@avow/contract/configuration";
import type { Scope } from "../../../kernel/actor.ts";
import type { Ctx } from "../../../kernel/ctx.ts";
import type { Db, Tx } from "../../../platform/db/db.ts";
import { Fault } from "../../../platform/errors.ts";
import { openGroupReader } from "../../../platform/queues/groups.ts";
import { type Right, roles, rolesFor } from "../../../kernel/rights.ts";
import {
  type DocumentRow,
  type HeldDocument,
  PAGE_BYTES_MAX,
  configurationIdsOf,
  countProjectDocuments,
  findDocument,
  listProjectDocuments,
  lockDocument,
  sumDocumentBytes,
} from "./store.ts";
import { configurationResources, resources } from "../schemas/resources.ts";
import { discloseUser } from "./users-store.ts";

/** The part of the store that other modules may use. */
export {
  type DocumentRow,
  findDocument,
  findProjectState,
  listDocuments,
  listVendorsOfProject,
  rolesOf,
  sumDocumentBytes,
  updateLiveVersion,
} from "./store.ts";

interface Access {
  resource: string;
  id: string;
  /** The required right, if it differs from the one of the route in kernel/rights.ts. */
  right?: Right | undefined;
}

/**
 * Returns the document if the scope has the right that its route requires, or `right`.
 * @throws Fault not-found when it is unknown, deleted or not visible to the scope (the error does not reveal
 *   which); forbidden when it is visible but the role does not allow it (wire section 0)
 */
export async function getDocument(db: Db | Tx, scope: Scope, access: Access): Promise<DocumentRow> {
  const held = await findDocument(db, scope, access);
  return openHeld(db, scope, { ...access, held });
}

/** The document of `held`, which was found by `access`. */
async function openHeld(
  db: Db | Tx,
  scope: Scope,
  { held, ...access }: Access & { held: HeldDocument | undefined },
): Promise<DocumentRow> {
  if (!held)
    throw new Fault(
      "not-found",
      `There is no ${nounOf(access.resource)} ${access.id} that you may see.`,
    );
  const allowing = rolesThatAllow(scope, access.right);
  if (!held.roles.some((role) => allowing.includes(role))) {
    const needed = allowing.length === 1 ? `its ${allowing[0]}` : "another role on it";
    throw new Fault(
      "forbidden",
      `You can see this ${nounOf(access.resource)}, but this needs ${needed}.`,
    );
  }
  // Users leave without disclosing themselves.
  if (access.right !== "leave") await openDocument(db, scope, held);
  return held.row;
}

/**
 * Discloses a user to the other users of a document and of its parents, at the first request to it. Until then, users
 * who were added by id are shown by id only, since nobody asked them.
 */
export async function openDocument(
  db: Db | Tx,
  scope: Scope,
  { row, isUnopened }: HeldDocument,
): Promise<void> {
  if (!isUnopened || scope.kind === "system") return;
  const documentIds = [row.id, row.project_id, row.organization_id].filter((id) => id !== null);
  await discloseUser(db, { userId: scope.userId, documentIds });
}

/** The roles that have `right`, or that the request's route allows if it is omitted. */
export function rolesThatAllow(scope: Scope, right?: Right): readonly string[] {
  if (right) return rolesFor(right);
  if (scope.kind === "system") return roles;
  if (!scope.roles)
    throw new Error(
      "neither the verb nor the route's row in packages/server/kernel/rights.ts names a right",
    );
  return scope.roles;
}

/** Like `getDocument`, and locks the document until the transaction ends, so that it cannot change before the write. */
export async function lockForChange(ctx: Ctx, access: Access): Promise<DocumentRow> {
  await lockDocument(ctx.tx, access.id, "update");
  return getDocument(ctx.tx, ctx.scope, access);
}

export type ProjectRow = DocumentRow & { resource: "projects"; body: Project };

/** The project `id`, with the same errors as `getDocument`. */
export async function getProject(
  db: Db | Tx,
  scope: Scope,
  id: string,
  right?: Right,
): Promise<ProjectRow> {
  // Every write of a project is validated by its schema.
  return (await getDocument(db, scope, { resource: "projects", id, right })) as ProjectRow;
}

/** Reads projects for requests that only read; concurrent ones of the same user and project share a query. */
export interface ProjectReader {
  /** As `getProject`, with the ids of the project's configurations that can be answered, in the same query. */
  getProjectWithConfigurations(
    scope: Scope,
    id: string,
  ): Promise<{ project: ProjectRow; configurationIds: readonly string[] }>;
}

export function openProjectReader(db: Db): ProjectReader {
  type HeldProject = Awaited<ReturnType<typeof findProjectWithConfigurations>>;
  const find = openGroupReader<{ scope: Scope; id: string }, HeldProject>({
    keyOf: ({ scope, id }) =>
      scope.kind === "system"
        ? JSON.stringify([id])
        : JSON.stringify([id, scope.userId, scope.projectId]),
    async read(requests) {
      const [request] = requests;
      const held = request && (await findProjectWithConfigurations(db, request.scope, request.id));
      return requests.map(() => held);
    },
  });
  return {
    async getProjectWithConfigurations(scope, id) {
      const held = await find({ scope, id });
      const access = { resource: "projects", id, held };
      const project = (await openHeld(db, scope, access)) as ProjectRow;
      return { project, configurationIds: held?.also ?? [] };
    },
  };
}

function findProjectWithConfigurations(db: Db, scope: Scope, id: string) {
  return findDocument(db, scope, { resource: "projects", id }, configurationIdsOf);
}

/** The organization `id`, for its owners, with the same errors as `getDocument`. */
export function getOwnOrganization(db: Db | Tx, scope: Scope, id: string): Promise<DocumentRow> {
  return getDocument(db, scope, { resource: "organizations", id, right: "own" });
}

const nouns: Record<string, string> = {
  projects: "project",
  cookies: "cookie configuration",
  processings: "processing",
  contracts: "contract",
  organizations: "organization",
  vendors: "vendor",
  content: "contract text",
};

/** A resource's name in messages. */
function nounOf(resource: string): string {
  return nouns[resource] ?? "document";
}

/** The resources that plans limit: those that ask visitors. The publish job counts the same. */
export const plannedResources: readonly string[] = [
  "cookies",
  "processings",
  "contracts",
  "content",
];
const CONFIGURATIONS_MAX = 1_000;

/** All configurations of a project, oldest first. @throws Fault impossible when there are more than 1,000 */
export async function listConfigurations(db: Db | Tx, projectId: string): Promise<DocumentRow[]> {
  const rows = await listProjectDocuments(db, {
    projectId,
    resources: configurationResources,
    max: CONFIGURATIONS_MAX,
  });
  if (rows.length > CONFIGURATIONS_MAX) throw toTooLarge(`${CONFIGURATIONS_MAX} configurations`);
  return rows;
}

/** The resources with documents in projects. */
const inProjects = resources
  .filter(({ parents }) => parents.includes("projectId"))
  .map(({ name }) => name);

/**
 * All documents of a project, which are its configurations, its own vendors and its own media, in the order of their ids.
 * @throws Fault impossible when there are more than 1,000 or they have more than 16 MiB
 */
export async function listContents(db: Db | Tx, projectId: string): Promise<DocumentRow[]> {
  if ((await sumDocumentBytes(db, projectId)) > PAGE_BYTES_MAX)
    throw toTooLarge(`${PAGE_BYTES_MAX / 1024 / 1024} MiB of documents`);
  const query = { projectId, resources: inProjects, max: CONFIGURATIONS_MAX };
  const rows = await listProjectDocuments(db, query);
  if (rows.length > CONFIGURATIONS_MAX) throw toTooLarge(`${CONFIGURATIONS_MAX} documents`);
  return rows;
}

function toTooLarge(max: string): Fault {
  return new Fault(
    "impossible",
    `The project has more than ${max}. Delete those that are not used.`,
  );
}

/** Number of configurations of a project, of those that plans count, and the maximum. */
export async function countConfigurations(
  db: Db | Tx,
  projectId: string,
): Promise<{ count: number; planned: number; max: number }> {
  const count = await countProjectDocuments(db, { projectId, resources: configurationResources });
  const planned = await countProjectDocuments(db, { projectId, resources: plannedResources });
  return { count, planned, max: CONFIGURATIONS_MAX };
}

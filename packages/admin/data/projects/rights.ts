import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { getClientProject } from "@avow/client/operations";
import { asProblem } from "../../api/problem.ts";
import { send } from "../../api/send.ts";
import { me } from "../session.ts";
import { readMembers } from "./members.ts";
import { readOrganization } from "./organizations.ts";
import { type Role, readRoles, titles } from "./project.ts";

/** The roles that have each right. The service enforces rights; the app uses them to decide what to offer. */
const rolesWith = {
  readConfigurations: ["owner", "editor", "viewer"],
  write: ["owner", "editor"],
  erase: ["owner"],
  own: ["owner"],
  readTrail: ["owner", "auditor"],
} as const satisfies Record<string, readonly Role[]>;

export type Right = keyof typeof rolesWith;

/** Loaded roles, by user and document. */
const known = signal<Readonly<Record<string, readonly Role[]>>>({});

function keyOf(documentId: string): string {
  return `${me.value?.id} ${documentId}`;
}

/** The user's roles on a project; undefined until they are loaded. */
export function useRoles(projectId: string): readonly Role[] | undefined {
  return useKnown(projectId, findRoles);
}

/** The user's roles on an organization; undefined until they are loaded. */
export function useOrganizationRoles(organizationId: string): readonly Role[] | undefined {
  return useKnown(organizationId, findOrganizationRoles);
}

/** Pending requests, shared by all parts of a screen. */
const reading = new Map<string, Promise<readonly Role[]>>();

/** Documents that the service reports as not found for the user. */
const hidden = signal<ReadonlySet<string>>(new Set());

/** The user's roles on a project, from the cache if they are loaded. @throws Problem */
export function readRights(projectId: string): Promise<readonly Role[]> {
  return readKnown(projectId, findRoles);
}

/** Whether the service reports the project as not found for the user. */
export function useIsHidden(projectId: string): boolean {
  useRoles(projectId);
  return hidden.value.has(keyOf(projectId));
}

/** Drops the cached roles on a document, after a change. */
export function forgetRoles(documentId: string): void {
  const { [keyOf(documentId)]: _gone, ...rest } = known.peek();
  known.value = rest;
}

function readKnown(
  documentId: string,
  find: (id: string) => Promise<readonly Role[]>,
): Promise<readonly Role[]> {
  const key = keyOf(documentId);
  const there = known.peek()[key];
  if (there) return Promise.resolve(there);
  const begun = reading.get(key);
  if (begun) return begun;
  const read = readRoleOf(key, () => find(documentId)).finally(() => reading.delete(key));
  reading.set(key, read);
  return read;
}

async function readRoleOf(
  key: string,
  find: () => Promise<readonly Role[]>,
): Promise<readonly Role[]> {
  try {
    const found = await find();
    known.value = { ...known.peek(), [key]: found };
    hidden.value = new Set([...hidden.peek()].filter((one) => one !== key));
    return found;
  } catch (error) {
    if (asProblem(error).kind === "not-found") hidden.value = new Set([...hidden.peek(), key]);
    throw error;
  }
}

function useKnown(
  documentId: string,
  find: (id: string) => Promise<readonly Role[]>,
): readonly Role[] | undefined {
  const key = keyOf(documentId);
  const roles = known.value[key];
  useEffect(() => {
    if (roles) return;
    // The screen shows other problems, since it calls the same service. `asProblem` logs defects of the app.
    readKnown(documentId, find).catch((error: unknown) => void asProblem(error));
  }, [key, roles === undefined]);
  return roles;
}

/** Whether these roles have a right; false while they are unknown. */
export function hasRight(roles: readonly Role[] | undefined, right: Right): boolean {
  const wanted: readonly Role[] = rolesWith[right];
  return roles?.some((role) => wanted.includes(role)) ?? false;
}

async function findRoles(projectId: string): Promise<readonly Role[]> {
  const { name } = await send(getClientProject, { path: { id: projectId } });
  titles.value = { ...titles.peek(), [projectId]: name };
  try {
    return await readRoles(projectId);
  } catch (error) {
    // A user who sees the project but cannot read its members is an auditor.
    if (asProblem(error).kind === "forbidden") return ["auditor"];
    throw error;
  }
}

async function findOrganizationRoles(id: string): Promise<readonly Role[]> {
  await readOrganization(id);
  const users = await readMembers({ collection: "organizations", id });
  return users.find(({ userId }) => userId === me.peek()?.id)?.roles ?? [];
}

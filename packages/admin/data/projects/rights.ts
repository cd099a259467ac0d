import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { getClientProject } from "@avow/client/operations";
import { asProblem } from "../../api/problem.ts";
import { send } from "../../api/send.ts";
import { me } from "../session.ts";
import { readMembers } from "./members.ts";
import { readOrganization } from "./organizations.ts";
import { type Role, readRoles, titles } from "./project.ts";

/** What of a project depends on the role; the service decides, and this is what is offered. */
const rolesWith = {
  readConfigurations: ["owner", "editor", "viewer"],
  write: ["owner", "editor"],
  erase: ["owner"],
  own: ["owner"],
  readTrail: ["owner", "auditor"],
} as const satisfies Record<string, readonly Role[]>;

export type Right = keyof typeof rolesWith;

/** Roles that were read, by who is signed in and the document. */
const known = signal<Readonly<Record<string, readonly Role[]>>>({});

function keyOf(documentId: string): string {
  return `${me.value?.id} ${documentId}`;
}

/** The roles on a project of whoever is signed in; undefined while nobody knows. */
export function useRoles(projectId: string): readonly Role[] | undefined {
  return useKnown(projectId, findRoles);
}

/** The roles on an organization, the same way. */
export function useOrganizationRoles(organizationId: string): readonly Role[] | undefined {
  return useKnown(organizationId, findOrganizationRoles);
}

/** What is read of roles right now: several parts of a screen that ask share one answer. */
const reading = new Map<string, Promise<readonly Role[]>>();

/** Documents that are not there for whoever is signed in. */
const hidden = signal<ReadonlySet<string>>(new Set());

/** The roles on a project of whoever is signed in, as they were read first. @throws Problem */
export function readRights(projectId: string): Promise<readonly Role[]> {
  return readKnown(projectId, findRoles);
}

/** Whether the service says that there is no such project for whoever is signed in. */
export function useIsHidden(projectId: string): boolean {
  useRoles(projectId);
  return hidden.value.has(keyOf(projectId));
}

/** Roles on a document are another's now, or nobody's: who wants them reads them again. */
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
    // What else is wrong is told by the screen, which asks the same service; a defect of the app is logged.
    readKnown(documentId, find).catch((error: unknown) => void asProblem(error));
  }, [key, roles === undefined]);
  return roles;
}

/** Whether somebody with these roles may do that; not while they are unknown. */
export function may(roles: readonly Role[] | undefined, right: Right): boolean {
  const wanted: readonly Role[] = rolesWith[right];
  return roles?.some((role) => wanted.includes(role)) ?? false;
}

async function findRoles(projectId: string): Promise<readonly Role[]> {
  const { name } = await send(getClientProject, { path: { id: projectId } });
  titles.value = { ...titles.peek(), [projectId]: name };
  try {
    return await readRoles(projectId);
  } catch (error) {
    // Who sees the project and may not read who else does is its auditor.
    if (asProblem(error).kind === "forbidden") return ["auditor"];
    throw error;
  }
}

async function findOrganizationRoles(id: string): Promise<readonly Role[]> {
  await readOrganization(id);
  const users = await readMembers({ collection: "organizations", id });
  return users.find(({ userId }) => userId === me.peek()?.id)?.roles ?? [];
}

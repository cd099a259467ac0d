import {
  type InvitationItem,
  addOrganizationUser,
  addProjectUser,
  listInvitations,
  listOrganizationUsers,
  listProjectUsers,
  removeOrganizationUser,
  removeProjectUser,
} from "@avow/client/operations";
import { asProblem } from "../../api/problem.ts";
import { sendWhole, send } from "../../api/send.ts";
import { me } from "../session.ts";
import type { Role } from "./project.ts";

/** What people have roles on. */
export interface Target {
  collection: "projects" | "organizations";
  id: string;
}

/** Somebody with roles on it. */
export interface Member {
  userId: string;
  email: string | null;
  emailConfirmed: boolean;
  displayName: string;
  roles: readonly Role[];
  addedAt: string;
  /** What all of the roles come from, where that is another document. */
  inheritedFrom?: string;
}

/** Who has roles, inherited ones too, in the order they came. @throws Problem */
export function readMembers({ collection, id }: Target): Promise<readonly Member[]> {
  const given = { path: { documentId: id } };
  return collection === "projects"
    ? send(listProjectUsers, given)
    : send(listOrganizationUsers, given);
}

/**
 * Who else keeps a role on a project that goes to an organization, or to none, without having one there: those that are
 * its own come along with it. @throws Problem
 */
export async function readRemainingMembers(
  projectId: string,
  to: string | null,
): Promise<readonly Member[]> {
  const [all, there] = await Promise.all([
    readMembers({ collection: "projects", id: projectId }),
    to === null ? [] : readMembers({ collection: "organizations", id: to }),
  ]);
  const known = new Set([me.peek()?.id, ...there.map(({ userId }) => userId)]);
  return all.filter(({ userId, inheritedFrom }) => inheritedFrom === undefined && !known.has(userId));
}

/** Whether whoever is signed in owns an organization; who may not see who does is no owner. @throws Problem */
export async function ownsOrganization(id: string): Promise<boolean> {
  try {
    const all = await readMembers({ collection: "organizations", id });
    return all.some(({ userId, roles }) => userId === me.peek()?.id && roles.includes("owner"));
  } catch (error) {
    if (["forbidden", "not-found"].includes(asProblem(error).kind)) return false;
    throw error;
  }
}

/** Gives somebody a role in place of those they have. @throws Problem */
export async function putRole({ collection, id }: Target, userId: string, role: Role) {
  const given = { path: { documentId: id }, body: { userId, roles: [role] } };
  await (collection === "projects" ? send(addProjectUser, given) : send(addOrganizationUser, given));
}

/** Takes somebody's roles; one's own: leaves. @throws Problem */
export async function removeMember({ collection, id }: Target, userId: string): Promise<void> {
  const given = { path: { documentId: id, userId } };
  await (collection === "projects"
    ? send(removeProjectUser, given)
    : send(removeOrganizationUser, given));
}

/** A page of the invitations that wait for an answer, and how many there are. @throws Problem */
export async function readInvitations(
  target: Target,
  { page, perPage }: { page: number; perPage: number },
): Promise<{ all: readonly InvitationItem[]; total: number }> {
  const query = { ...target, page, perPage };
  const { body, headers } = await sendWhole(listInvitations, { query });
  return { all: body, total: Number(headers.get("x-total-count")) };
}

/** Whether nobody else is owner: they cannot go, nor become anything less. */
export function isLastOwner(all: readonly Member[], { userId }: Member): boolean {
  const owners = all.filter(({ roles }) => roles.includes("owner"));
  return owners.length === 1 && owners[0]?.userId === userId;
}

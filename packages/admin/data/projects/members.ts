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

/** A project or an organization, on which users have roles. */
export interface Target {
  collection: "projects" | "organizations";
  id: string;
}

/** A user with roles on a target. */
export interface Member {
  userId: string;
  email: string | null;
  emailConfirmed: boolean;
  /** Null for a member who was added by id and has not opened the target yet. */
  displayName: string | null;
  roles: readonly Role[];
  addedAt: string;
  /** The document that all roles are inherited from, if it is another one. */
  inheritedFrom?: string;
}

/** The name of a member; the id of one who is not shown yet. */
export function toMemberName({ displayName, userId }: Member): string {
  return displayName ?? userId;
}

/** All users with roles, including inherited ones, in the order they were added. @throws Problem */
export function readMembers({ collection, id }: Target): Promise<readonly Member[]> {
  const given = { path: { documentId: id } };
  return collection === "projects"
    ? send(listProjectUsers, given)
    : send(listOrganizationUsers, given);
}

/**
 * Other users who keep a role on a project that moves to an organization, or to none, without a role there. Roles on
 * the project itself move with it. @throws Problem
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

/** Whether the signed-in user owns an organization. Users who cannot read its members are no owners. @throws Problem */
export async function ownsOrganization(id: string): Promise<boolean> {
  try {
    const all = await readMembers({ collection: "organizations", id });
    return all.some(({ userId, roles }) => userId === me.peek()?.id && roles.includes("owner"));
  } catch (error) {
    if (["forbidden", "not-found"].includes(asProblem(error).kind)) return false;
    throw error;
  }
}

/** Replaces the roles of a user by one role. @throws Problem */
export async function putRole({ collection, id }: Target, userId: string, role: Role) {
  const given = { path: { documentId: id }, body: { userId, roles: [role] } };
  await (collection === "projects" ? send(addProjectUser, given) : send(addOrganizationUser, given));
}

/** Removes the roles of a user; for the signed-in user: leaves. @throws Problem */
export async function removeMember({ collection, id }: Target, userId: string): Promise<void> {
  const given = { path: { documentId: id, userId } };
  await (collection === "projects"
    ? send(removeProjectUser, given)
    : send(removeOrganizationUser, given));
}

/** A page of the pending invitations, and the total. @throws Problem */
export async function readInvitations(
  target: Target,
  { page, perPage }: { page: number; perPage: number },
): Promise<{ all: readonly InvitationItem[]; total: number }> {
  const query = { ...target, page, perPage };
  const { body, headers } = await sendWhole(listInvitations, { query });
  return { all: body, total: Number(headers.get("x-total-count")) };
}

/** Whether the member is the only owner, who can neither leave nor lose the role. */
export function isLastOwner(all: readonly Member[], { userId }: Member): boolean {
  const owners = all.filter(({ roles }) => roles.includes("owner"));
  return owners.length === 1 && owners[0]?.userId === userId;
}

import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { getClientProject } from "../api/interface.ts";
import { asProblem } from "../api/problem.ts";
import { send } from "../api/send.ts";
import { me } from "../session.ts";
import { type Role, readRoles, titles } from "./project.ts";

/** What of a project depends on the role; the service decides, and this is what is offered. */
const rolesWith = {
  readConfigurations: ["owner", "editor", "viewer"],
  write: ["owner", "editor"],
  erase: ["owner"],
  readTrail: ["owner", "auditor"],
} as const satisfies Record<string, readonly Role[]>;

export type Right = keyof typeof rolesWith;

/** Roles that were read, by who is signed in and the project. */
const known = signal<Readonly<Record<string, readonly Role[]>>>({});

function keyOf(projectId: string): string {
  return `${me.value?.id} ${projectId}`;
}

/** The roles on a project of whoever is signed in; undefined while nobody knows. */
export function useRoles(projectId: string): readonly Role[] | undefined {
  const key = keyOf(projectId);
  useEffect(() => {
    if (known.peek()[key]) return;
    findRoles(projectId).then(
      (roles) => {
        known.value = { ...known.peek(), [key]: roles };
      },
      // What is wrong is told by the screen, which asks the same service; a defect of the app is logged.
      (error: unknown) => void asProblem(error),
    );
  }, [key]);
  return known.value[key];
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

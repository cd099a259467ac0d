import { effect } from "@preact/signals";
import { me } from "../session.ts";
import type { ProjectName } from "./projects.ts";

const KEY = "avow-recent";
const RECENT_MAX = 5;

interface Stored {
  userId: string;
  projects: ProjectName[];
}

// The titles do not outlive the session.
effect(() => {
  if (me.value === null) localStorage.removeItem(KEY);
});

/** The projects that this user opened last in this browser, newest first. */
export function listRecentProjects(): readonly ProjectName[] {
  const stored = readStored();
  return stored?.userId === me.peek()?.id ? (stored?.projects ?? []) : [];
}

/** Remembers an opened project. */
export function rememberProject([id, title]: ProjectName): void {
  const userId = me.peek()?.id;
  if (userId === undefined) return;
  const others = listRecentProjects().filter(([other]) => other !== id);
  const stored: Stored = { userId, projects: [[id, title] as const, ...others].slice(0, RECENT_MAX) };
  try {
    localStorage.setItem(KEY, JSON.stringify(stored));
  } catch {
    // Without storage there are no recent projects; the search still finds all.
  }
}

/** The stored list, unless something else changed it to another shape. */
function readStored(): Stored | undefined {
  try {
    const stored = JSON.parse(localStorage.getItem(KEY) ?? "null") as Partial<Stored> | null;
    if (typeof stored?.userId !== "string" || !Array.isArray(stored.projects)) return undefined;
    const projects = stored.projects.filter(isName).slice(0, RECENT_MAX);
    return { userId: stored.userId, projects };
  } catch {
    return undefined;
  }
}

function isName(value: unknown): value is ProjectName {
  return Array.isArray(value) && value.length === 2 && value.every((one) => typeof one === "string");
}

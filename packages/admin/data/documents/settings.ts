import { asProblem } from "../../api/problem.ts";
import type { Conflict } from "./draft.ts";
import { type Doc, type Version, patchDocument, readDocument, toOwn } from "./documents.ts";
import { listDifferences, takeTheirs, toMergePatch } from "./merge.ts";
import { findAt, withAt } from "./pointer.ts";

/** What a form holds, by places in the project without their first slash: `DPO/organization`. */
type Values = Readonly<Record<string, string>>;

/** What became of what was to be saved. */
export type SaveResult =
  | { saved: Version; isChanged: boolean }
  /** Somebody else has changed the same fields; `settle` has what goes on with what they have. */
  | { conflict: Conflict; mine: Doc };

/** The text at a place of a project, as a form holds it. */
export function textAt(doc: Doc, name: string): string {
  const value = findAt(doc, `/${name}`);
  return typeof value === "string" ? value.replaceAll("\r\n", "\n") : "";
}

/** A project with what a form holds; an empty field is one that the project does not have. */
export function withTexts(doc: Doc, values: Values): Doc {
  return Object.entries(values).reduce((one, [name, typed]) => {
    const text = typed.trim();
    return text === textAt(doc, name) ? one : withAt(one, `/${name}`, text || undefined);
  }, doc);
}

/**
 * Saves `mine` over the version that it began with. What somebody else saved of other fields meanwhile stays as they have
 * it; where it is the same fields, nothing is saved. @throws Problem
 */
export async function saveProject(base: Version, mine: Doc): Promise<SaveResult> {
  const patch = toMergePatch(toOwn(base.doc), toOwn(mine));
  if (!patch) return { saved: base, isChanged: false };
  try {
    return { saved: await patchDocument("projects", base, patch), isChanged: true };
  } catch (error) {
    if (asProblem(error).status !== 412) throw error;
  }
  const theirs = await readDocument("projects", mine.id);
  const all = listDifferences(base.doc, mine, theirs.doc);
  const differences = all.filter(({ isMine }) => isMine);
  const rest = all.filter(({ isMine }) => !isMine);
  const merged = takeTheirs(mine, theirs.doc, rest);
  if (differences.length === 0) return saveProject(theirs, merged);
  return { conflict: { theirs, differences }, mine: merged };
}

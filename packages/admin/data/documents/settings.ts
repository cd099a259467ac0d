import { asProblem } from "../../api/problem.ts";
import type { Conflict } from "./draft.ts";
import { type Doc, type Version, patchDocument, readDocument, toOwn } from "./documents.ts";
import { listDifferences, takeTheirs, toMergePatch } from "./merge.ts";
import { findAt, withAt } from "./pointer.ts";

/** The values of a form, by JSON pointers without the first slash: `DPO/organization`. */
type Values = Readonly<Record<string, string>>;

/** The result of saving. */
export type SaveResult =
  | { saved: Version; isChanged: boolean }
  /** Somebody else changed the same fields. `mine` already has their changes of other fields. */
  | { conflict: Conflict; mine: Doc };

/** The text at a path of a project, as a form field shows it. */
export function textAt(doc: Doc, name: string): string {
  const value = findAt(doc, `/${name}`);
  return typeof value === "string" ? value.replaceAll("\r\n", "\n") : "";
}

/** The project with the values of a form. An empty field is removed from the project. */
export function withTexts(doc: Doc, values: Values): Doc {
  return Object.entries(values).reduce((one, [name, typed]) => {
    const text = typed.trim();
    return text === textAt(doc, name) ? one : withAt(one, `/${name}`, text || undefined);
  }, doc);
}

/**
 * Saves `mine` on top of its base version. Changes of other fields by somebody else are kept; if the same fields
 * changed, nothing is saved. @throws Problem
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

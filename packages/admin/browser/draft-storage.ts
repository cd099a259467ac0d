import type { JsonObject } from "@avow/contract/json";

const PREFIX = "avow-draft-";
const DRAFTS_MAX = 10;
const DRAFT_LENGTH_MAX = 400_000;
const AGE_MS_MAX = 7 * 86_400_000;

/** A document with its identifier. */
type StoredDocument = JsonObject & { id: string };

/** An unsaved draft of a user, as this browser keeps it. */
export interface StoredDraft {
  userId: string;
  /** The document with the unsaved changes. */
  doc: StoredDocument;
  /** The version that was changed, with its `ETag`. */
  base: { doc: StoredDocument; etag: string };
  /** The time of the last change, in ms since the epoch. */
  at: number;
}

/** Stores a draft in place of the document's earlier one, and drops the oldest drafts beyond ten. */
export function storeDraft(draft: StoredDraft): void {
  const text = JSON.stringify(draft);
  if (text.length > DRAFT_LENGTH_MAX) return removeDraft(draft.doc.id);
  const key = PREFIX + draft.doc.id;
  const isFirst = localStorage.getItem(key) === null;
  try {
    localStorage.setItem(key, text);
  } catch {
    // The browser has no storage left. It still asks before the page is closed.
    removeDraft(draft.doc.id);
  }
  if (isFirst) prune();
}

function prune(): void {
  const oldest = listIds()
    .map((id) => [id, readStored(id)?.at ?? 0] as const)
    .toSorted(([, a], [, b]) => b - a)
    .slice(DRAFTS_MAX);
  for (const [id] of oldest) removeDraft(id);
}

/** Finds the stored draft of a document, unless it is another user's or older than a week. */
export function findStoredDraft(id: string, userId: string): StoredDraft | undefined {
  const stored = readStored(id);
  if (stored && Date.now() - stored.at > AGE_MS_MAX) removeDraft(id);
  else if (stored?.userId === userId) return stored;
  return undefined;
}

export function removeDraft(id: string): void {
  localStorage.removeItem(PREFIX + id);
}

/** Removes the drafts of all users, at sign-out. */
export function removeAllDrafts(): void {
  for (const id of listIds()) removeDraft(id);
}

function listIds(): string[] {
  return Object.keys(localStorage)
    .filter((key) => key.startsWith(PREFIX))
    .map((key) => key.slice(PREFIX.length));
}

/** The stored draft, unless something else changed it to another shape. */
function readStored(id: string): StoredDraft | undefined {
  try {
    const stored = JSON.parse(localStorage.getItem(PREFIX + id) ?? "null") as StoredDraft | null;
    const isWhole =
      stored?.doc.id === id && stored.base.doc.id === id && typeof stored.base.etag === "string";
    return isWhole && Number.isFinite(stored.at) ? stored : undefined;
  } catch {
    return undefined;
  }
}

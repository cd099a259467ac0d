import { type ReadonlySignal, signal } from "@preact/signals";
import { Problem } from "@avow/client/problem";
import { asProblem } from "../../api/problem.ts";
import {
  type Doc,
  type DocumentKind,
  type Version,
  patchDocument,
  readDocument,
  toOwn,
} from "./documents.ts";
import {
  type StoredDraft,
  findStoredDraft,
  removeDraft,
  storeDraft,
} from "../../browser/draft-storage.ts";
import { type Difference, listDifferences, takeTheirs, toMergePatch } from "./merge.ts";

const SAVE_AFTER_MS = 800;
/** Typing is not slowed by storing each key press. */
const STORE_AFTER_MS = 300;
const RETRY_AFTER_MS = 5_000;
/** Problems that may pass: saving is retried after them. */
const transientKinds = new Set(["offline", "busy", "too-many", "internal"]);

/**
 * `waiting`: changed, not saved yet. `away`: the service does not respond, will retry. `refused`: invalid; see
 * `faults`. `conflict`: somebody else saved a newer version.
 */
type SaveState = "saved" | "waiting" | "saving" | "away" | "refused" | "failed" | "conflict";

/** The newer version of somebody else, and its differences to the draft. */
export interface Conflict {
  theirs: Version;
  differences: readonly Difference[];
}

/** A document in an editor, which is saved automatically. */
export interface Draft {
  kind: DocumentKind;
  id: string;
  /** The document with the unsaved changes. */
  doc: ReadonlySignal<Doc>;
  state: ReadonlySignal<SaveState>;
  /** Error messages of the service, by JSON pointer. */
  faults: ReadonlySignal<Readonly<Record<string, string>>>;
  problem: ReadonlySignal<Problem | undefined>;
  conflict: ReadonlySignal<Conflict | undefined>;
  change: (next: Doc) => void;
  /** Resolves the conflict: takes the other version for the differences in `taken`, and the draft for the rest. */
  settle: (taken: readonly Difference[]) => void;
  /** Saves pending changes immediately. */
  flush: () => Promise<void>;
  /** Unsaved changes of an earlier visit, until the user decides about them. */
  earlier: ReadonlySignal<EarlierChanges | undefined>;
  /** Continues with the earlier changes. If the document has changed since, it is a conflict. */
  restore: () => Promise<void>;
  discard: () => void;
  /** Keeps unsaved changes in the browser. */
  store: () => void;
}

/** Unsaved changes of an earlier visit. */
interface EarlierChanges {
  /** In ms since the epoch. */
  at: number;
  /** Whether the document has changed since. */
  isOutdated: boolean;
}

/** Unsaved drafts, by id. They outlive their screen, so that their changes are there when it is opened again. */
const unsaved = new Map<string, Draft>();

addEventListener("pagehide", () => {
  for (const draft of unsaved.values()) draft.store();
});

/** Opens a draft of a document for a user; an unsaved one is reused. @throws Problem */
export async function openDraft(kind: DocumentKind, id: string, userId: string): Promise<Draft> {
  return unsaved.get(id) ?? startDraft(kind, await readDocument(kind, id), userId);
}

/** Whether any draft is unsaved. The page then asks before it is closed. */
export function isAnyUnsaved(): boolean {
  return unsaved.size > 0;
}

/** Stored changes of an earlier visit that the document does not have. */
function findEarlier({ doc }: Version, userId: string): StoredDraft | undefined {
  const stored = findStoredDraft(doc.id, userId);
  if (stored && toMergePatch(toOwn(doc), toOwn(stored.doc))) return stored;
  if (stored) removeDraft(doc.id);
  return undefined;
}

function startDraft(kind: DocumentKind, read: Version, userId: string): Draft {
  const { id } = read.doc;
  /**
   * `present` is the service's version, `sent` the document as it was sent. They differ because the service sanitizes
   * HTML; this difference is no change of the user.
   */
  let present = read;
  let sent = read.doc;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let saving: Promise<void> | undefined;
  let storing: ReturnType<typeof setTimeout> | undefined;
  const stored = findEarlier(read, userId);
  const earlier = signal(
    stored && { at: stored.at, isOutdated: stored.base.etag !== read.etag },
  );
  const doc = signal(read.doc);
  const state = signal<SaveState>("saved");
  const faults = signal<Readonly<Record<string, string>>>({});
  const problem = signal<Problem | undefined>(undefined);
  const conflict = signal<Conflict | undefined>(undefined);
  const to = (next: SaveState): void => {
    state.value = next;
    // Listens only while the service is unreachable, so that a discarded draft does not keep its screen in memory.
    if (next === "away") addEventListener("online", onOnline);
    else removeEventListener("online", onOnline);
    if (next === "saved") {
      unsaved.delete(id);
      clearTimeout(storing);
      if (!earlier.peek()) removeDraft(id);
    } else unsaved.set(id, draft);
  };
  const onOnline = (): void => void flush();
  const later = (ms: number): void => {
    clearTimeout(timer);
    timer = setTimeout(() => void flush(), ms);
  };
  const save = async (): Promise<void> => {
    const next = doc.peek();
    const patch = toMergePatch(toOwn(sent), toOwn(next));
    faults.value = {};
    problem.value = undefined;
    if (!patch) return to("saved");
    to("saving");
    present = await patchDocument(kind, present, patch);
    sent = next;
    if (doc.peek() === next) {
      showUniqueName(next);
      return to("saved");
    }
    to("waiting");
    later(SAVE_AFTER_MS);
  };
  /** The service makes a name unique that another configuration of the project has. */
  const showUniqueName = (next: Doc): void => {
    const { name } = present.doc;
    if (kind === "projects" || !next["name"] || next["name"] === name) return;
    sent = { ...next, name };
    doc.value = sent;
  };
  const fail = async (error: unknown): Promise<void> => {
    const failed = asProblem(error);
    problem.value = failed;
    if (failed.status === 412) return handleNewerVersion();
    if (transientKinds.has(failed.kind)) {
      to("away");
      return later(RETRY_AFTER_MS);
    }
    faults.value = Object.fromEntries(failed.errors.map(({ path, message }) => [path, message]));
    to(failed.errors.length > 0 ? "refused" : "failed");
  };
  /** Handles 412: somebody else saved, or an earlier request of this draft succeeded but its response was lost. */
  const handleNewerVersion = async (): Promise<void> => {
    const theirs = await readDocument(kind, id);
    const differences = listDifferences(present.doc, doc.peek(), theirs.doc);
    if (differences.length > 0) {
      conflict.value = { theirs, differences };
      return to("conflict");
    }
    present = theirs;
    sent = theirs.doc;
    await save();
  };
  const run = async (): Promise<void> => {
    try {
      await save();
    } catch (error) {
      // Reading the other version may fail, too.
      await fail(error).catch(fail);
    }
  };
  const flush = async (): Promise<void> => {
    clearTimeout(timer);
    if (conflict.peek()) return;
    await saving;
    saving = run().finally(() => (saving = undefined));
    await saving;
  };
  const draft: Draft = {
    kind,
    id,
    doc,
    state,
    faults,
    problem,
    conflict,
    flush,
    earlier,
    async restore() {
      if (!stored || !earlier.peek()) return;
      // Changes of this visit become the newer version, so that a conflict shows both.
      await flush();
      earlier.value = undefined;
      present = stored.base;
      sent = stored.base.doc;
      draft.change(stored.doc);
      await flush();
    },
    discard() {
      earlier.value = undefined;
      removeDraft(id);
    },
    store() {
      clearTimeout(storing);
      // The earlier changes stay until the user has decided about them.
      if (earlier.peek() || !unsaved.has(id)) return;
      storeDraft({ userId, doc: doc.peek(), base: present, at: Date.now() });
    },
    change(next) {
      doc.value = next;
      clearTimeout(storing);
      storing = setTimeout(draft.store, STORE_AFTER_MS);
      if (conflict.peek()) return;
      if (state.peek() !== "saving") to("waiting");
      later(SAVE_AFTER_MS);
    },
    settle(taken) {
      const open = conflict.peek();
      if (!open) return;
      present = open.theirs;
      sent = open.theirs.doc;
      doc.value = takeTheirs(doc.peek(), open.theirs.doc, taken);
      conflict.value = undefined;
      to("waiting");
      void flush();
    },
  };
  return draft;
}


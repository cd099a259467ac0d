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
import { type Difference, listDifferences, takeTheirs, toMergePatch } from "./merge.ts";

const SAVE_AFTER_MS = 800;
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
}

/** Unsaved drafts, by id. They outlive their screen, so that their changes are there when it is opened again. */
const unsaved = new Map<string, Draft>();

/** Opens a draft of a document; an unsaved one is reused. @throws Problem */
export async function openDraft(kind: DocumentKind, id: string): Promise<Draft> {
  return unsaved.get(id) ?? startDraft(kind, await readDocument(kind, id));
}

/** Whether any draft is unsaved. The page then asks before it is closed. */
export function isAnyUnsaved(): boolean {
  return unsaved.size > 0;
}

function startDraft(kind: DocumentKind, read: Version): Draft {
  const { id } = read.doc;
  /**
   * `present` is the service's version, `sent` the document as it was sent. They differ because the service sanitizes
   * HTML; this difference is no change of the user.
   */
  let present = read;
  let sent = read.doc;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let saving: Promise<void> | undefined;
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
    if (next === "saved") unsaved.delete(id);
    else unsaved.set(id, draft);
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
    change(next) {
      doc.value = next;
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


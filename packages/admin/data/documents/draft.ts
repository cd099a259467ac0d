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
const AGAIN_AFTER_MS = 5_000;
/** What the service may answer another time: no network, too much to do, too many requests. */
const passing = new Set(["offline", "busy", "too-many", "internal"]);

/**
 * `waiting`: changed, and about to be saved. `away`: the service does not answer; it is tried again. `refused`:
 * something in it is not right, which `faults` tell. `conflict`: somebody else saved meanwhile.
 */
type SaveState = "saved" | "waiting" | "saving" | "away" | "refused" | "failed" | "conflict";

/** What somebody else saved meanwhile, and where it differs from what is here. */
export interface Conflict {
  theirs: Version;
  differences: readonly Difference[];
}

/** A document that is being written, which saves itself. */
export interface Draft {
  kind: DocumentKind;
  id: string;
  /** As it is on the screen. */
  doc: ReadonlySignal<Doc>;
  state: ReadonlySignal<SaveState>;
  /** What the service refuses, by place (JSON pointer). */
  faults: ReadonlySignal<Readonly<Record<string, string>>>;
  problem: ReadonlySignal<Problem | undefined>;
  conflict: ReadonlySignal<Conflict | undefined>;
  change: (next: Doc) => void;
  /** Goes on with what they have where `taken` says so, and with what is here for the rest. */
  settle: (taken: readonly Difference[]) => void;
  /** Saves at once what is not saved yet. */
  flush: () => Promise<void>;
}

/** Drafts that are not saved yet stay when their screen is left, so that coming back finds them. */
const kept = new Map<string, Draft>();

/** Opens a document to be written: as it was left, where that could not be saved yet. @throws Problem */
export async function openDraft(kind: DocumentKind, id: string): Promise<Draft> {
  return kept.get(id) ?? startDraft(kind, await readDocument(kind, id));
}

/** Whether something is not saved, so that the page is not to be closed. */
export function isAnyUnsaved(): boolean {
  return kept.size > 0;
}

function startDraft(kind: DocumentKind, read: Version): Draft {
  const { id } = read.doc;
  /** What the service has, and how it was sent: HTML comes back cleaned, which is nobody's change. */
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
    // Asked for only as long as it waits for the network: a draft that is left lets go of its page.
    if (next === "away") addEventListener("online", onOnline);
    else removeEventListener("online", onOnline);
    if (next === "saved") kept.delete(id);
    else kept.set(id, draft);
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
    if (doc.peek() === next) return to("saved");
    to("waiting");
    later(SAVE_AFTER_MS);
  };
  const fail = async (error: unknown): Promise<void> => {
    const failed = asProblem(error);
    problem.value = failed;
    if (failed.status === 412) return meet();
    if (passing.has(failed.kind)) {
      to("away");
      return later(AGAIN_AFTER_MS);
    }
    faults.value = Object.fromEntries(failed.errors.map(({ path, message }) => [path, message]));
    to(failed.errors.length > 0 ? "refused" : "failed");
  };
  /** Somebody else has saved: or it was this very draft, whose answer was lost. */
  const meet = async (): Promise<void> => {
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
      // Another failure, of reading what they have, is told in the same way.
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
      const met = conflict.peek();
      if (!met) return;
      present = met.theirs;
      sent = met.theirs.doc;
      doc.value = takeTheirs(doc.peek(), met.theirs.doc, taken);
      conflict.value = undefined;
      to("waiting");
      void flush();
    },
  };
  return draft;
}


import { type CookieOptions, toCookieOptions } from "../core/cookie-options.ts";
import { type FormStorage, toFormsKey } from "../core/form-answers.ts";
import {
  DAY_SECONDS,
  type MemoryStore,
  chooseMemory,
  toList,
  toMemoryText,
} from "../core/memory.ts";
import type { Entry, OutboxPorts } from "../core/sending/outbox.ts";
import type { Cookies, Site } from "../core/site.ts";
import type { StoredVisitor } from "./api.ts";
import type { ConsentStorage } from "./ports.ts";

/** A visitor's texts, held in memory and written through. */
export interface Stores extends MemoryStore, FormStorage, Omit<OutboxPorts, "transport"> {
  /** Reads the texts again. */
  reload(): Promise<void>;
  /** Resolves when all texts so far are written. */
  settle(): Promise<unknown>;
  /** The texts, for a snapshot. */
  toTexts(): StoredVisitor;
}

const UNSENT_MAX = 100;

/** Reads a visitor's texts. A storage that fails counts as empty. */
export async function readVisitor(
  storage: ConsentStorage,
  site: Site,
  cookies: Cookies,
): Promise<StoredVisitor> {
  const { choices } = toCookieOptions({}, cookies);
  const [answers, forms] = await Promise.all([
    readTexts(storage, choices),
    readTexts(storage, toFormsKey(site)),
  ]);
  return { answers, forms: decode(forms[0]) };
}

/** The texts of a name. A storage that fails counts as empty: the visitor is asked again. */
export async function readTexts(storage: ConsentStorage, name: string): Promise<readonly string[]> {
  try {
    const stored = await storage.read(name);
    return typeof stored === "string" ? [stored] : (stored ?? []);
  } catch {
    return [];
  }
}

/** Opens the stores with the texts that were read. */
export function openStores(
  storage: ConsentStorage,
  { site, cookies, stored }: { site: Site; cookies: Cookies; stored: StoredVisitor },
): Stores {
  const options: CookieOptions = toCookieOptions({}, cookies);
  const { days, domain } = options;
  let held = stored;
  let writing: Promise<unknown> = Promise.resolve();
  /** One step at a time: each reads the texts that the one before has written. */
  const enqueue = (step: () => Promise<unknown>): Promise<unknown> => {
    const done = writing.then(step);
    writing = done.catch(() => undefined);
    return done;
  };
  const write = (name: string, text: string, isAnswer: boolean): void => {
    const lifetime = isAnswer ? { days, domain } : undefined;
    void enqueue(() => attempt(() => storage.write(name, text, lifetime)));
  };
  const unsentKey = `avow_unsent_${site.projectId}`;
  const listUnsent = async (): Promise<Entry[]> =>
    parseEntries(decode((await readTexts(storage, unsentKey))[0]));
  const changeUnsent = (change: (entries: Entry[]) => readonly Entry[]): Promise<unknown> =>
    enqueue(async () => {
      const entries = change(await listUnsent()).slice(-UNSENT_MAX);
      await storage.write(unsentKey, encodeURIComponent(JSON.stringify(entries)));
      // The outbox takes anything else as a storage that is blocked. Most storages resolve with nothing.
      return true;
    });
  return {
    readMemory() {
      const memory = chooseMemory(held.answers, days);
      // The clock of a phone may have been wrong: such an answer would not expire for years.
      const aheadMs = Date.parse(memory.$$date ?? "") - Date.now();
      const isOurs = ["string", "undefined"].includes(typeof memory.$$token);
      return isOurs && !(aheadMs > days * DAY_SECONDS * 1000) ? memory : {};
    },
    writeMemory(memory) {
      const text = toMemoryText(memory);
      held = { ...held, answers: [text] };
      const names = Object.keys(memory).filter(
        (name) => !name.startsWith("$$") && typeof memory[name] === "boolean",
      );
      const accepted = names.filter((name) => memory[name] === true);
      write(options.choices, text, true);
      write(options.authorized, encodeURIComponent(toList(accepted)), true);
      write(options.answeredList, encodeURIComponent(toList(names)), true);
    },
    readForms: () => held.forms,
    writeForms(forms) {
      held = { ...held, forms };
      write(toFormsKey(site), encodeURIComponent(forms), false);
    },
    listEntries: listUnsent,
    putEntry: (entry) => changeUnsent((entries) => [...entries, entry]),
    removeEntry: (id) => changeUnsent((entries) => entries.filter((entry) => entry.id !== id)),
    async reload() {
      await enqueue(async () => {
        const before = held;
        const read = await readVisitor(storage, site, cookies);
        // An answer that was given in the meantime is newer.
        if (held === before) held = read;
      });
    },
    settle: () => writing,
    toTexts: () => held,
  };
}

function decode(text: string | undefined): string | undefined {
  try {
    return text === undefined ? undefined : decodeURIComponent(text);
  } catch {
    // Truncated, or not ours.
    return undefined;
  }
}

function parseEntries(text: string | undefined): Entry[] {
  try {
    const value: unknown = JSON.parse(text ?? "[]");
    return Array.isArray(value) ? value.filter(isEntry) : [];
  } catch {
    // Truncated, or not ours.
    return [];
  }
}

function isEntry(value: unknown): value is Entry {
  const { id, url, body } = (value ?? {}) as Partial<Entry>;
  return typeof id === "string" && typeof url === "string" && typeof body === "object";
}

/** Runs a write that may fail: the text is in memory, and the visitor is asked again later. */
export async function attempt(write: () => unknown): Promise<void> {
  try {
    await write();
  } catch {
    // Blocked or full.
  }
}

import type { Box, Site } from "./site.ts";

/** An answer, as it is stored on the device. */
export interface StoredAnswer {
  accept: boolean;
  /** RFC 3339. */
  date: string;
  /** The visitor who answered: a device may be shared. */
  token: string;
  /** The digest of the offer. */
  substance?: string | undefined;
  /** Whether a refusal withdrew an earlier consent. */
  isWithdrawn?: boolean;
}

/** The answers to a project's consent forms and contract forms on this device. */
export interface FormAnswers {
  /**
   * The visitor's valid answer; undefined if it is another visitor's, has expired, or was given before a material change.
   */
  find(box: Box): StoredAnswer | undefined;
  /** Stores an answer. Returns a function that restores the previous one, in case the service rejects this one later. */
  keep(box: Box, answer: Pick<StoredAnswer, "accept" | "token"> & { date?: string }): () => void;
  /** Reads the stored answers again: another page of the site may have changed them. */
  refresh(): void;
}

const DAY_MS = 86_400_000;
const HELD_MAX = 100;

/** The text with a project's form answers on the device. */
export interface FormStorage {
  /** @throws when storage is blocked */
  readForms(): string | null | undefined;
  /** @throws when storage is blocked or full */
  writeForms(text: string): void;
}

/** The key of that text. */
export function toFormsKey({ projectId }: Pick<Site, "projectId">): string {
  return `avow_boxes_${projectId}`;
}

/** If storage is blocked, answers last as long as the page. */
export function openFormAnswers(
  site: Site,
  visitor: { readonly token: string },
  storage: FormStorage,
): FormAnswers {
  let held = read(storage);
  const substanceOf = ({ identifier }: Box): string | undefined =>
    site.widget?.substances?.[identifier]?.[""];
  /** The published file also lists earlier digests that asked for at least as much. */
  const isSame = (before: string | undefined, box: Box): boolean => {
    const now = substanceOf(box);
    return before === undefined ? now === undefined : now?.includes(before) === true;
  };
  const find = (box: Box): StoredAnswer | undefined => {
    const one = held[box.identifier];
    if (one?.token !== visitor.token || !isSame(one.substance, box)) return undefined;
    const endsAt = Date.parse(one.date) + (box.settings?.expiresAfterDays ?? Infinity) * DAY_MS;
    return Date.now() < endsAt ? one : undefined;
  };
  const write = (box: Box, one: StoredAnswer | undefined): void => {
    // Another tab may have stored more.
    const { [box.identifier]: _replaced, ...others } = { ...held, ...read(storage) };
    const last = Object.entries(others).slice(1 - HELD_MAX);
    held = Object.fromEntries([...last, ...(one ? [[box.identifier, one] as const] : [])]);
    try {
      storage.writeForms(JSON.stringify(held));
    } catch {
      // Blocked or full. The service has the answer, and this page keeps it.
    }
  };
  return {
    find,
    refresh: () => void (held = { ...held, ...read(storage) }),
    keep(box, { accept, token, date = new Date().toISOString() }) {
      const before = find(box);
      const isWithdrawn = !accept && (before?.accept === true || before?.isWithdrawn === true);
      write(box, { accept, date, token, substance: substanceOf(box)?.slice(0, 8), isWithdrawn });
      return () => {
        if (find(box)?.date === date) write(box, before);
      };
    },
  };
}

function read(storage: FormStorage): Record<string, StoredAnswer | undefined> {
  try {
    const value: unknown = JSON.parse(storage.readForms() ?? "{}");
    return typeof value === "object" && value ? { ...value } : {};
  } catch {
    // Blocked, or not ours.
    return {};
  }
}

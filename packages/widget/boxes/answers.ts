import type { Context } from "../banner/features.ts";
import type { Box } from "../core/site.ts";

/** An answer that the service has, as it is remembered on the device. */
export interface Held {
  accept: boolean;
  /** RFC 3339. */
  date: string;
  /** Whose answer it is: a device may be shared. */
  token: string;
  /** What was agreed to, as a digest. */
  substance?: string | undefined;
  /** Whether a refusal took an earlier consent back. */
  isWithdrawn?: boolean;
}

/** What was answered to the boxes of a project on this device. */
export interface Answers {
  /**
   * The visitor's answer, as long as it holds: not where it was somebody else's, has run out, or was
   * given to something else than is asked now.
   */
  find(box: Box): Held | undefined;
  /** Keeps an answer; what it answers goes back to the one before, for a service that refuses this one late. */
  keep(box: Box, answer: Pick<Held, "accept" | "token"> & { date?: string }): () => void;
}

const DAY_MS = 86_400_000;
const HELD_MAX = 100;

/** Opens what is remembered; where storage is blocked, an answer holds for as long as the page does. */
export function openAnswers({ site, choices }: Context): Answers {
  const key = `avow_boxes_${site.projectId}`;
  let held = read(key);
  const substanceOf = ({ identifier }: Box): string | undefined =>
    site.widget?.substances?.[identifier]?.[""];
  /** What is published names those of before that asked for as much or more, too. */
  const isSame = (before: string | undefined, box: Box): boolean => {
    const now = substanceOf(box);
    return before === undefined ? now === undefined : now?.includes(before) === true;
  };
  const find = (box: Box): Held | undefined => {
    const one = held[box.identifier];
    if (one?.token !== choices.token || !isSame(one.substance, box)) return undefined;
    const endsAt = Date.parse(one.date) + (box.settings?.expiresAfterDays ?? Infinity) * DAY_MS;
    return Date.now() < endsAt ? one : undefined;
  };
  const write = (box: Box, one: Held | undefined): void => {
    // Another tab may have kept more since.
    const { [box.identifier]: _replaced, ...others } = { ...held, ...read(key) };
    const last = Object.entries(others).slice(1 - HELD_MAX);
    held = Object.fromEntries([...last, ...(one ? [[box.identifier, one] as const] : [])]);
    try {
      localStorage.setItem(key, JSON.stringify(held));
    } catch {
      // Blocked or full: the service has the answer, and this page remembers it.
    }
  };
  return {
    find,
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

function read(key: string): Record<string, Held | undefined> {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(key) ?? "{}");
    return typeof value === "object" && value ? { ...value } : {};
  } catch {
    // Blocked, or written by something else: as if there were none.
    return {};
  }
}

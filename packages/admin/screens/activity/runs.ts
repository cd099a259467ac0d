import type { Activity } from "@avow/client/operations";

/** Longest pause within a run. */
const PAUSE_MS_MAX = 3_600_000;

/** Acts of one person in a row, on one day, oldest first. */
export interface ActivityRun {
  id: string;
  entries: readonly Activity[];
}

/** The runs of one day in the reader's time zone, newest first. */
export interface Day {
  /** An instant of the day. */
  at: string;
  runs: readonly ActivityRun[];
}

/** Groups activity, newest first, by day and by runs of the same person. */
export function groupActivity(items: readonly Activity[]): Day[] {
  const days: { at: string; runs: { id: string; entries: Activity[] }[] }[] = [];
  let later: Activity | undefined;
  for (const one of items) {
    const isSameDay = later !== undefined && toDate(later.at) === toDate(one.at);
    const isSameRun = isSameDay && later !== undefined && continues(later, one);
    if (!isSameDay) days.push({ at: one.at, runs: [] });
    const runs = days.at(-1)?.runs ?? [];
    if (isSameRun) runs.at(-1)?.entries.unshift(one);
    else runs.push({ id: one.id, entries: [one] });
    later = one;
  }
  return days;
}

const toDate = (at: string): string => new Date(at).toDateString();

function continues(later: Activity, earlier: Activity): boolean {
  const pauseMs = new Date(later.at).getTime() - new Date(earlier.at).getTime();
  return later.actor.id === earlier.actor.id && pauseMs <= PAUSE_MS_MAX;
}

/** Acts that read as one: the same event about the same document, in the order of their first. */
export interface Act {
  entry: Activity;
  /** The last of them. */
  latest: Activity;
  count: number;
  /** The sum of `details.count`. */
  total: number;
}

/** Events whose document is a job, a request or an erasure: they read as one, whatever they are about. */
const alike = /^(consent|erasure|export|dossier|comment|review|approval|publish\.failed|snippet)/;

export function listActs(entries: readonly Activity[]): Act[] {
  const acts = new Map<string, Act>();
  for (const entry of entries) {
    const { event, document, details, member } = entry;
    const about = alike.test(event)
      ? (details["reason"] ?? details["decision"])
      : `${document?.id} ${member?.id}`;
    const key = `${event} ${String(about)}`;
    const own = Number(details["count"] ?? 0);
    const known = acts.get(key) ?? { entry, latest: entry, count: 0, total: 0 };
    acts.set(key, { ...known, latest: entry, count: known.count + 1, total: known.total + own });
  }
  return [...acts.values()];
}

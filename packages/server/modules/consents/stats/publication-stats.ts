import { type Comparison, compare } from "@avow/contract/significance";
import type { Scope } from "../../../kernel/actor.ts";
import { within } from "../../../platform/db/buckets/buckets.ts";
import type { DataDb } from "../../../platform/db/db.ts";
import { Fault } from "../../../platform/errors.ts";
import { getProject } from "../../vault/documents/access.ts";
import { toNextSlot, toSlot } from "../displays/slots.ts";
import { type Counts, addCounts, noCounts } from "./counts.ts";
import { findPublishedAt } from "./named-store.ts";
import type { StatsApp } from "./stats.ts";
import { sumCounts } from "./stats-store.ts";

/** The counts of a window of time. */
export interface Window {
  from: Date;
  /** Exclusive. */
  to: Date;
  counts: Counts;
}

/** Equal windows before and after a publication; both are empty while no quarter of an hour has passed. */
export interface PublicationStats {
  projectId: string;
  version: number;
  publishedAt: Date;
  before: Window;
  after: Window;
  /** Share of answers that accept all; null while a window has no answers. */
  accepting: Comparison | null;
  /** Share of displays with an answer; null while a window has no displays. */
  answering: Comparison | null;
}

const DAY_MS = 86_400_000;

/**
 * Compares the answers before and after the publication of a version. The windows have `days` days, or fewer: neither
 * contains another publication, and the second one ends now at the latest. Times are quarters of an hour; that of
 * the publication itself, which has answers to both versions, is in neither window.
 * @throws Fault not-found without the project or the version in production
 */
export async function getPublicationStats(
  app: StatsApp,
  scope: Scope,
  request: { projectId: string; version: number; days: number },
): Promise<PublicationStats> {
  const { projectId, version, days } = request;
  const { db, data } = await within(app, projectId);
  await getProject(db, scope, projectId);
  const found = await findPublishedAt(db, { projectId, version });
  if (!found) throw new Fault("not-found", `The project has no published version ${version}.`);
  const { publishedAt, previousAt, nextAt } = found;
  const end = toSlot(publishedAt);
  const start = toNextSlot(publishedAt);
  const last = toSlot(nextAt ?? app.now());
  const first = previousAt ? toNextSlot(previousAt) : new Date(0);
  const lengthMs = Math.max(
    0,
    Math.min(days * DAY_MS, last.getTime() - start.getTime(), end.getTime() - first.getTime()),
  );
  const spans = [
    { from: new Date(end.getTime() - lengthMs), to: end },
    { from: start, to: new Date(start.getTime() + lengthMs) },
  ] as const;
  const [before, after] = await Promise.all([
    readWindow(data, projectId, spans[0]),
    readWindow(data, projectId, spans[1]),
  ]);
  return { projectId, version, publishedAt, before, after, ...compareWindows(before, after) };
}

async function readWindow(
  data: DataDb,
  projectId: string,
  { from, to }: { from: Date; to: Date },
): Promise<Window> {
  if (from >= to) return { from, to, counts: { ...noCounts } };
  const query = { projectId, identifier: undefined, bounds: [from, to], by: "hour" } as const;
  const [displays, answers] = await Promise.all([
    sumCounts(data, "display_counts", { ...query, column: undefined }),
    sumCounts(data, "answer_counts", { ...query, column: undefined }),
  ]);
  const ofDisplays = displays.filter(({ bucket }) => bucket === 0);
  const ofAnswers = answers.filter(({ bucket }) => bucket === 0);
  const counts = [
    ...ofDisplays.map(({ shown, accepted, partly, refused }) => ({
      ...noCounts,
      shown,
      displayed: accepted + partly + refused,
    })),
    ...ofAnswers.map(({ accepted, partly, refused }) => ({
      ...noCounts,
      accepted,
      partly,
      refused,
    })),
  ].reduce<Counts>(addCounts, { ...noCounts });
  return { from, to, counts: { ...counts, ignored: Math.max(0, counts.shown - counts.displayed) } };
}

function compareWindows(before: Window, after: Window) {
  const compareBy = (toRate: (counts: Counts) => { shown: number; accepted: number }) =>
    compare(toRate(before.counts), toRate(after.counts)) ?? null;
  return {
    accepting: compareBy(({ accepted, partly, refused }) => ({
      shown: accepted + partly + refused,
      accepted,
    })),
    answering: compareBy(({ shown, displayed }) => ({
      shown,
      accepted: Math.min(shown, displayed),
    })),
  };
}

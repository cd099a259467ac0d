import type { Scope } from "../../../kernel/actor.ts";
import { within } from "../../../platform/db/buckets/buckets.ts";
import type { Planes } from "../../../platform/db/db.ts";
import { getProject } from "../../vault/documents/access.ts";
import type { ConsentsPorts } from "../ports.ts";
import { findHead } from "./answers-store.ts";
import { type Counts, addCounts, noCounts } from "./counts.ts";
import { type Span, type Unit, toFault, toSpan } from "./span.ts";
import { listNamed } from "./named-store.ts";
import { type CountsQuery, sumCounts, sumGroups } from "./stats-store.ts";
import { type Group, type RecordGroup, recordGroups } from "./schema.ts";

/** The counts of one key, for each day or hour. */
export interface Series {
  /** A configuration's id, a language, a device, a step's name, a page, a country or a vendor; null: the total, or others. */
  key: string | null;
  /** The name of a configuration. */
  name: string | null;
  counts: Counts[];
}

/** The statistics of a project. */
export interface Stats extends Span {
  projectId: string;
  group: Group | null;
  /** Everything before this time is counted; null: nothing is counted yet. */
  until: Date | null;
  series: Series[];
}

export type StatsApp = Pick<ConsentsPorts, "db" | "buckets" | "now" | "intervals" | "findLogSize">;

interface StatsQuery {
  projectId: string;
  from?: string | undefined;
  to?: string | undefined;
  by: Unit;
  tz: string;
  group?: Group | undefined;
  /** Only this configuration. */
  configuration?: string | undefined;
}

/** Limit of series; the smallest ones are summed up in one. */
const SERIES_MAX = 50;
/** Minimum of answers of a page or country in the period: fewer could be those of a known person. */
const SIZE_MIN = 5;
/** Upper bound of the duration of one sequencer run and one counting run together. */
const ROUNDS_MS_MAX = 500;

/**
 * The statistics of a project's displays and answers. Answers are counted from the project's records, and are complete.
 * By step and by device, which records do not contain, they are the answers to counted displays. Ignored displays are
 * derived from these, too.
 * @throws Fault as `getProject` and `toSpan`
 */
export async function getStats(app: StatsApp, scope: Scope, request: StatsQuery): Promise<Stats> {
  const { now } = app;
  const { projectId, group = null, configuration: identifier } = request;
  const own = await within(app, projectId);
  await getProject(own.db, scope, projectId);
  const recordGroup = recordGroups.find((one) => one === group);
  if (recordGroup) assertWithRecordGroup(request);
  const span = toSpan(recordGroup ? { ...request, tz: "UTC" } : request, now());
  // Read before the counts, which may then contain more than `until` says, but never less.
  const until = await findUntil(own);
  const query = { projectId, identifier, bounds: [...span.starts, span.to], by: span.by };
  const series = recordGroup
    ? await readRecordGroup(own, { ...query, group: recordGroup })
    : await readSeries(own, query, group);
  return { ...span, projectId, group, until, series };
}

/** @throws Fault invalid for a query that counts by UTC day of all configurations cannot answer */
function assertWithRecordGroup({ by, group, configuration }: StatsQuery): void {
  if (by === "hour") throw toFault("?by", `must be day with group=${group}`);
  if (configuration !== undefined)
    throw toFault("?configuration", `cannot be combined with group=${group}`);
}

/** Records are counted after a sequencer run and a counting run, displays after a counting run. */
async function findUntil({
  data,
  now,
  intervals,
  findLogSize,
}: StatsApp & Planes): Promise<Date | null> {
  const at = now().getTime();
  const size = await findLogSize(data);
  const head = await findHead(data);
  return head.leaf >= size
    ? new Date(at - intervals.logMs - intervals.countsMs - ROUNDS_MS_MAX)
    : head.until;
}

async function readSeries(
  { db, data }: Planes,
  query: CountsQuery,
  group: Group | null,
): Promise<Series[]> {
  const isGrouped = group === "configuration" || group === "language";
  const ofDisplays = group === "step" || group === "device";
  const column = isGrouped ? "identifier" : ofDisplays ? group : undefined;
  const [displays, answers] = await Promise.all([
    sumCounts(data, "display_counts", { ...query, column }),
    ofDisplays ? [] : sumCounts(data, "answer_counts", { ...query, column }),
  ]);
  const sums = new Sums(query.bounds.length - 1);
  for (const { bucket, key, shown, accepted, partly, refused } of displays) {
    const displayed = accepted + partly + refused;
    const answered = ofDisplays ? { accepted, partly, refused } : {};
    sums.add(key, bucket, { ...noCounts, shown, displayed, ...answered });
  }
  for (const { bucket, key, accepted, partly, refused } of answers)
    sums.add(key, bucket, { ...noCounts, accepted, partly, refused });
  if (group === null) return [{ key: null, name: null, counts: sums.settle("") }];
  const named = isGrouped ? await listNamed(db, query.projectId, sums.keys()) : [];
  if (group === "language") {
    const languages = new Map(named.map(({ id, language }) => [id, language ?? ""]));
    return sums.by((id) => languages.get(id) ?? "").toSeries(new Map());
  }
  return sums.toSeries(new Map(named.map(({ id, name }) => [id, name])));
}

async function readRecordGroup(
  { data }: Planes,
  query: CountsQuery & { group: RecordGroup },
): Promise<Series[]> {
  const sums = new Sums(query.bounds.length - 1);
  for (const { bucket, key, accepted, partly, refused } of await sumGroups(data, query))
    sums.add(key, bucket, {
      ...noCounts,
      accepted,
      partly,
      refused,
      displayed: accepted + partly + refused,
    });
  // Vendors are those of a published configuration, and say nothing about a person.
  return sums.toSeries(new Map(), {
    othersKey: "",
    sizeMin: query.group === "vendor" ? 0 : SIZE_MIN,
  });
}

/** Counts by key and bucket. */
class Sums {
  readonly #counts = new Map<string, Counts[]>();
  readonly #buckets: number;

  constructor(buckets: number) {
    this.#buckets = buckets;
  }

  get(key: string): Counts[] {
    let counts = this.#counts.get(key);
    if (!counts) {
      counts = Array.from({ length: this.#buckets }, () => ({ ...noCounts }));
      this.#counts.set(key, counts);
    }
    return counts;
  }

  /** The counts with ignored displays. Answers can outnumber displays only if a node crashed before it wrote displays. */
  settle(key: string): Counts[] {
    return this.get(key).map((one) => ({
      ...one,
      ignored: Math.max(0, one.shown - one.displayed),
    }));
  }

  add(key: string, bucket: number, more: Readonly<Counts>): void {
    const counts = this.get(key);
    const before = counts[bucket];
    if (before) counts[bucket] = addCounts(before, more);
  }

  keys(): string[] {
    return [...this.#counts.keys()];
  }

  /** The same counts by another key, which merges those with the same one. */
  by(toKey: (key: string) => string): Sums {
    const sums = new Sums(this.#buckets);
    for (const [key, counts] of this.#counts)
      for (const [bucket, more] of counts.entries()) sums.add(toKey(key), bucket, more);
    return sums;
  }

  /**
   * Largest first; those beyond the limit are summed up at the end, with those under `othersKey` and those smaller than
   * `sizeMin`. If this rest would be smaller, too, it includes the next larger ones.
   */
  toSeries(
    names: ReadonlyMap<string, string | null>,
    { othersKey, sizeMin = 0 }: { othersKey?: string; sizeMin?: number } = {},
  ): Series[] {
    const sizeOf = (key: string) =>
      this.get(key).reduce(
        (sum, one) => sum + one.shown + one.accepted + one.partly + one.refused,
        0,
      );
    const keys = this.keys()
      .map((key) => ({ key, size: sizeOf(key) }))
      .toSorted((a, b) => b.size - a.size || (a.key < b.key ? -1 : 1))
      .map(({ key }) => key);
    const named = keys.filter((key) => key !== othersKey && sizeOf(key) >= sizeMin);
    const isWhole = keys.length === named.length && keys.length <= SERIES_MAX;
    const listed = isWhole ? named : named.slice(0, SERIES_MAX - 1);
    const sizeOfRest = () =>
      keys.reduce((sum, key) => sum + (listed.includes(key) ? 0 : sizeOf(key)), 0);
    if (!isWhole) while (listed.length > 0 && sizeOfRest() < sizeMin) listed.pop();
    const series: Series[] = listed.map((key) => ({
      key,
      name: names.get(key) ?? null,
      counts: this.settle(key),
    }));
    const others = keys.filter((key) => !listed.includes(key));
    if (others.length === 0) return series;
    const rest = new Sums(this.#buckets);
    for (const key of others)
      for (const [bucket, more] of this.get(key).entries()) rest.add("", bucket, more);
    return [...series, { key: null, name: null, counts: rest.settle("") }];
  }
}

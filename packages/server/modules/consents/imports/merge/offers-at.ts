import { LRUCache } from "lru-cache";
import type { Planes } from "../../../../platform/db/db.ts";
import { Fault } from "../../../../platform/errors.ts";
import { type Collection, isCollection } from "@avow/contract/collections";
import type { Offer } from "../../offers/offer.ts";
import { type OfferedConfiguration, findOffered } from "../../offers/offered.ts";
import { type OfferRow, listOfferingVersions, listOffersOf } from "./offers-at-store.ts";
import { listPublishedAt } from "./published-store.ts";

/** Cache limit for configurations and their offers by version. */
const CONFIGURATIONS_MAX = 5_000;
const OFFERS_MAX = 200_000;
/** Cache limit for the last results: consecutive entries usually need the same. */
const RECENT_MAX = 50;

interface DatedConfiguration {
  identifier: string;
  createdAt: Date;
}

/** The offers of a project at any instant. */
export interface OffersAt {
  /** Loads the data for later calls of `find`. Throws `Fault` (not-found) without the project. */
  load: (entries: readonly DatedConfiguration[]) => Promise<void>;
  /**
   * The offer that a record of that instant answers: that of the version live then, with its number;
   * otherwise the present or last one; undefined if the project never had the configuration.
   */
  find: (entry: DatedConfiguration) => OfferedConfiguration | undefined;
}

/** A configuration's present offer, and the versions that it was part of. */
interface ConfigurationVersions {
  now: OfferedConfiguration | undefined;
  versions: ReadonlySet<number>;
  last: number | undefined;
}

/** The offer from one publication up to the next. */
interface Recent {
  fromMs: number;
  untilMs: number;
  found: OfferedConfiguration;
}

/** Opens the offers of a project; versions published later are not seen. */
export async function openOffersAt(planes: Planes, projectId: string): Promise<OffersAt> {
  const published = await listPublishedAt(planes.db, projectId);
  const known = new LRUCache<string, ConfigurationVersions>({ max: CONFIGURATIONS_MAX });
  const offers = new LRUCache<string, OfferedConfiguration>({
    maxSize: OFFERS_MAX,
    sizeCalculation: (configuration) => configuration.offers.size + 1,
  });
  const recent = new Map<string, Recent>();
  const findRecent = ({ identifier, createdAt }: DatedConfiguration): Recent | undefined => {
    const one = recent.get(identifier);
    const ms = createdAt.getTime();
    return one && ms >= one.fromMs && ms < one.untilMs ? one : undefined;
  };
  const remember = (
    { identifier, createdAt }: DatedConfiguration,
    found: OfferedConfiguration,
  ): void => {
    const count = countPublished(published, createdAt.getTime());
    const fromMs = published[count - 1]?.publishedAt.getTime() ?? -Infinity;
    const untilMs = published[count]?.publishedAt.getTime() ?? Infinity;
    if (recent.size >= RECENT_MAX) recent.clear();
    recent.set(identifier, { fromMs, untilMs, found });
  };
  const placeOf = ({ identifier, createdAt }: DatedConfiguration) => {
    const configuration = known.get(identifier);
    if (!configuration) return undefined;
    const live = published[countPublished(published, createdAt.getTime()) - 1]?.version;
    const isThen = live !== undefined && configuration.versions.has(live);
    if (!isThen && configuration.now) return { now: configuration.now };
    const version = isThen ? live : configuration.last;
    return version === undefined ? undefined : { version, isThen };
  };
  return {
    async load(all) {
      const asked = all.filter((one) => !findRecent(one));
      const missing = new Set(
        asked.map(({ identifier }) => identifier).filter((id) => !known.has(id)),
      );
      if (missing.size > 0)
        for (const [id, one] of await loadKnown(planes, { projectId, published }, [...missing]))
          known.set(id, one);
      const wanted = new Map<string, { identifier: string; version: number; isThen: boolean }>();
      for (const one of asked) {
        const place = placeOf(one);
        if (!place || "now" in place) continue;
        const key = keyOf(one.identifier, place.version, place.isThen);
        if (!offers.has(key)) wanted.set(key, { identifier: one.identifier, ...place });
      }
      if (wanted.size === 0) return;
      const rows = await listOffersOf(planes.data, projectId, [...wanted.values()]);
      const groups = Map.groupBy(rows, (row) => `${row.version} ${row.identifier}`);
      for (const [key, { identifier, version, isThen }] of wanted) {
        const found = toConfiguration(groups.get(`${version} ${identifier}`) ?? []);
        if (found) offers.set(key, isThen ? found : { ...found, version: null });
      }
    },
    find(entry) {
      const last = findRecent(entry);
      if (last) return last.found;
      const place = placeOf(entry);
      if (!place) return undefined;
      const found =
        "now" in place
          ? place.now
          : offers.get(keyOf(entry.identifier, place.version, place.isThen));
      if (found) remember(entry, found);
      return found;
    },
  };
}

/** The cache key of an offer; `isThen` if its version was live at the instant. */
function keyOf(identifier: string, version: number, isThen: boolean): string {
  return `${isThen ? version : `last ${version}`} ${identifier}`;
}

/** Counts the versions published up to an instant. */
function countPublished(published: readonly { publishedAt: Date }[], ms: number): number {
  let [low, high] = [0, published.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((published[middle]?.publishedAt.getTime() ?? 0) <= ms) low = middle + 1;
    else high = middle;
  }
  return low;
}

async function loadKnown(
  planes: Planes,
  { projectId, published }: { projectId: string; published: readonly { version: number }[] },
  identifiers: readonly string[],
): Promise<Map<string, ConfigurationVersions>> {
  const offered = await findOffered(planes, { projectId, identifiers });
  if (!offered) throw new Fault("not-found", "The project was deleted.");
  const versions = Map.groupBy(
    await listOfferingVersions(planes.data, projectId, identifiers),
    (row) => row.identifier,
  );
  // A publication that a crash cut short may have left offers of a version that was never published.
  const known = new Set(published.map(({ version }) => version));
  return new Map(
    identifiers.map((identifier) => {
      const offering = versions.get(identifier)?.map(({ version }) => version) ?? [];
      const numbers = offering.filter((version) => known.has(version));
      const now = offered.get(identifier);
      // It was not part of a version then.
      const draft = now && { ...now, version: null };
      return [identifier, { now: draft, versions: new Set(numbers), last: numbers.at(-1) }];
    }),
  );
}

function toConfiguration(rows: readonly OfferRow[]): OfferedConfiguration | undefined {
  const [first] = rows;
  if (!first || !isCollection(first.collection)) return undefined;
  const collection: Collection = first.collection;
  const offers = rows.map((row): [string, Offer] => [
    row.item,
    {
      identifier: row.identifier,
      item: row.item,
      collection,
      name: row.name,
      substance: row.substance,
      covers: row.covers,
      required: row.required,
      expiresAfterDays: row.expires_after_days,
    },
  ]);
  return {
    identifier: first.identifier,
    collection,
    version: first.version,
    offers: new Map(offers),
  };
}

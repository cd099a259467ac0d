import type { DataDb } from "../../../platform/db/db.ts";
import { Fault } from "../../../platform/errors.ts";
import { type Selection, rankRange } from "./selected-store.ts";

/** The part of the store that the evidence module reads. */
export { type Selection, listSelectedIds, listShownTo } from "./selected-store.ts";

/** Number of ids ranked by one query, which takes some tens of milliseconds. */
const RANGE_LENGTH = 20_000;

export interface Sample {
  /** Oldest first. */
  ids: string[];
  /** Number of selected consents. */
  population: number;
}

/**
 * Draws a uniform random sample of `size` selected consents: those with the lowest SHA-256 of `seed:id`. The sample is
 * reproducible from the ids and the seed, as long as the records are the same. All ids of the selection are read, at
 * most `populationMax`, in short queries of the primary key.
 * @throws Fault impossible for more than `populationMax` selected consents
 */
export async function drawSample(
  db: DataDb,
  selection: Selection,
  options: { seed: string; size: number; populationMax: number; signal: AbortSignal },
): Promise<Sample> {
  const { seed, size, populationMax, signal } = options;
  let lowest: { id: string; rank: Buffer }[] = [];
  let population = 0;
  let after: string | undefined;
  for (;;) {
    signal.throwIfAborted();
    const below = lowest.length === size ? lowest.at(-1)?.rank : undefined;
    const range = await rankRange(
      db,
      { ...selection, after },
      { seed, length: RANGE_LENGTH, limit: size, below },
    );
    population += range.count;
    if (population > populationMax) throw toTooMany(populationMax);
    lowest = [...lowest, ...range.first]
      .toSorted((a, b) => Buffer.compare(a.rank, b.rank))
      .slice(0, size);
    if (range.count < RANGE_LENGTH || range.last === null) break;
    after = range.last;
  }
  return { ids: lowest.map(({ id }) => id).toSorted(), population };
}

function toTooMany(max: number): Fault {
  const most = max.toLocaleString("en");
  const message = `has more than ${most} consents to draw from. Narrow it by start and end`;
  return new Fault("impossible", `The period ${message}.`, {
    faults: [{ path: "?sample", message }],
  });
}

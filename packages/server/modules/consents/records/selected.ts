import type { Db } from "../../../platform/db/db.ts";
import { Fault } from "../../../platform/errors.ts";
import { type Selection, rankStretch } from "./selected-store.ts";

/** What of the store the evidence module reads. */
export { type Selection, listSelectedIds, listShownTo } from "./selected-store.ts";

/** Ids of one query: some tens of milliseconds. */
const STRETCH = 20_000;

/** What a sample was drawn from, and what came out. */
export interface Sample {
  /** Oldest first. */
  ids: string[];
  /** How many there were to choose from. */
  population: number;
}

/**
 * Draws `size` of the selected consents at random, each with the same chance: those whose SHA-256 of
 * `seed:id` is lowest. The same seed draws the same as long as the same records are there, and anybody
 * who has the ids can draw it again. Every id of the selection is looked at, in short queries of the
 * primary key alone, and at most `populationMax` of them.
 * @throws Fault impossible where there are more
 */
export async function drawSample(
  db: Db,
  selection: Selection,
  asked: { seed: string; size: number; populationMax: number; signal: AbortSignal },
): Promise<Sample> {
  const { seed, size, populationMax, signal } = asked;
  let lowest: { id: string; rank: Buffer }[] = [];
  let population = 0;
  let after: string | undefined;
  for (;;) {
    signal.throwIfAborted();
    const below = lowest.length === size ? lowest.at(-1)?.rank : undefined;
    const stretch = await rankStretch(
      db,
      { ...selection, after },
      { seed, length: STRETCH, limit: size, below },
    );
    population += stretch.count;
    if (population > populationMax) throw toTooMany(populationMax);
    lowest = [...lowest, ...stretch.first]
      .toSorted((a, b) => Buffer.compare(a.rank, b.rank))
      .slice(0, size);
    if (stretch.count < STRETCH || stretch.last === null) break;
    after = stretch.last;
  }
  return { ids: lowest.map(({ id }) => id).toSorted(), population };
}

function toTooMany(max: number): Fault {
  const most = max.toLocaleString("en");
  const message = `has more than ${most} consents to draw from: narrow it by start and end`;
  return new Fault("impossible", `The period ${message}.`, {
    faults: [{ path: "?sample", message }],
  });
}

import { LRUCache } from "lru-cache";
import type { Db } from "../../../platform/db/db.ts";
import { listPublishedSteps } from "./displays-store.ts";

/** Steps in memory at most, of all versions together. */
const STEPS_MAX = 200_000;

/** What can be displayed: of each configuration of a version the names of its steps. */
export interface Steps {
  /** Whether a version shows that: a step of a banner, or a box, whose step is ''. */
  hasStep(
    place: { projectId: string; version: number },
    what: { identifier: string; step: string },
  ): Promise<boolean>;
}

/** Opens what published versions show, kept in memory: a version never changes. */
export function openSteps(db: Db): Steps {
  const cache = new LRUCache<string, ReadonlySet<string>>({
    maxSize: STEPS_MAX,
    sizeCalculation: (names) => names.size + 1,
  });
  return {
    async hasStep(place, { identifier, step }) {
      const key = `${place.projectId} ${place.version}`;
      let names = cache.get(key);
      if (!names) {
        const rows = await listPublishedSteps(db, place);
        names = new Set(rows.map((row) => nameOf(row.identifier, row.step)));
        cache.set(key, names);
      }
      return names.has(nameOf(identifier, step));
    },
  };
}

function nameOf(identifier: string, step: string): string {
  return `${identifier} ${step}`;
}

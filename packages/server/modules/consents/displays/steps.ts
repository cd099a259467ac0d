import { LRUCache } from "lru-cache";
import type { Db } from "../../../platform/db/db.ts";
import { listPublishedSteps } from "./steps-store.ts";

/** Cache limit: steps of all versions. */
const STEPS_MAX = 200_000;

/** The steps of published versions. */
export interface Steps {
  /** Whether a version has this step of a banner, or this consent form (step ''). */
  hasStep(
    place: { projectId: string; version: number },
    what: { identifier: string; step: string },
  ): Promise<boolean>;
}

/** Opens a cache of the steps of published versions, which never change. */
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

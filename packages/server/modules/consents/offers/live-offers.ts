import { LRUCache } from "lru-cache";
import type { Db } from "../../../platform/db/db.ts";
import { Fault } from "../../../platform/errors.ts";
import { type OfferedConfiguration, findOffered } from "./offered.ts";

/** Offers in memory at most, of all configurations together. */
const OFFERS_MAX = 200_000;

/** What is live, kept in memory. Who writes by it checks in the same statement that it still is. */
export interface LiveOffers {
  /**
   * The configurations of a project with these identifiers, those that are live out of the cache.
   * @throws Fault not-found without the project
   */
  getOffered(
    projectId: string,
    identifiers: readonly string[],
  ): Promise<ReadonlyMap<string, OfferedConfiguration>>;
  /** A configuration as a published version had it; undefined where that version has none of it. */
  findDisplayed(
    projectId: string,
    identifier: string,
    version: number,
  ): Promise<OfferedConfiguration | undefined>;
  /** What is cached of one configuration: no promise to wait for, where most consents go. */
  peek(projectId: string, identifier: string): OfferedConfiguration | undefined;
  forget(projectId: string, identifier: string): void;
}

export function openLiveOffers(db: Db): LiveOffers {
  const cache = new LRUCache<string, OfferedConfiguration>({
    maxSize: OFFERS_MAX,
    sizeCalculation: ({ offers }) => offers.size + 1,
  });
  const peek = (projectId: string, identifier: string) => cache.get(keyOf(projectId, identifier));
  return {
    peek,
    async getOffered(projectId, identifiers) {
      const found = new Map<string, OfferedConfiguration>();
      const missing = identifiers.filter((identifier) => {
        const live = peek(projectId, identifier);
        if (live) found.set(identifier, live);
        return !live;
      });
      // Whether there is such a project is asked for all the same, where nothing is.
      if (missing.length === 0 && identifiers.length > 0) return found;
      const offered = await findOffered(db, { projectId, identifiers: missing });
      if (!offered) throw new Fault("not-found", `There is no project ${projectId}.`);
      for (const configuration of offered.values()) {
        found.set(configuration.identifier, configuration);
        // What is not live has no version that a write could be checked by.
        if (configuration.version !== null)
          cache.set(keyOf(projectId, configuration.identifier), configuration);
      }
      return found;
    },
    async findDisplayed(projectId, identifier, version) {
      const key = `${keyOf(projectId, identifier)} ${version}`;
      const known = cache.get(key);
      if (known) return known;
      const offered = await findOffered(db, { projectId, identifiers: [identifier], version });
      const found = offered?.get(identifier);
      // What that version does not have is told as the vault has it now.
      if (found?.version !== version) return undefined;
      cache.set(key, found);
      return found;
    },
    forget(projectId, identifier) {
      cache.delete(keyOf(projectId, identifier));
    },
  };
}

function keyOf(projectId: string, identifier: string): string {
  return `${projectId} ${identifier}`;
}

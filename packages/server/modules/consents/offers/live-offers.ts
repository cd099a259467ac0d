import { LRUCache } from "lru-cache";
import { type AllPlanes, planesOf } from "../../../platform/db/buckets/buckets.ts";
import { Fault } from "../../../platform/errors.ts";
import type { Offer } from "./offer.ts";
import {
  type OfferedConfiguration,
  type Stretch,
  findOffered,
  listVersionOffers,
} from "./offered.ts";

/** Cache limit: offers of all configurations. */
const OFFERS_MAX = 200_000;

/** A cache of live offers. Writers that rely on it must check in the same statement that they are still live. */
export interface LiveOffers {
  /**
   * The configurations of a project with these identifiers, live ones from the cache.
   * @throws Fault not-found without the project
   */
  getOffered(
    projectId: string,
    identifiers: readonly string[],
  ): Promise<ReadonlyMap<string, OfferedConfiguration>>;
  /** A configuration in a published version; undefined if that version does not contain it. */
  findDisplayed(
    projectId: string,
    identifier: string,
    version: number,
  ): Promise<OfferedConfiguration | undefined>;
  /** The cached configuration; synchronous, for the path of most consents. */
  peek(projectId: string, identifier: string): OfferedConfiguration | undefined;
  forget(projectId: string, identifier: string): void;
  /** The offers of a published version, at most `limit`, which never change. */
  listVersion(projectId: string, version: number, limit: number): Promise<VersionOffers>;
}

/** Offers with the identifiers of their configurations. */
type VersionOffers = Stretch<Offer> & { identifiers: ReadonlySet<string> };

export function openLiveOffers(app: AllPlanes): LiveOffers {
  const cache = new LRUCache<string, OfferedConfiguration>({
    maxSize: OFFERS_MAX,
    sizeCalculation: ({ offers }) => offers.size + 1,
  });
  const versions = new LRUCache<string, VersionOffers>({
    maxSize: OFFERS_MAX,
    sizeCalculation: ({ items }) => items.length + 1,
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
      // Without identifiers, the query still checks that the project exists.
      if (missing.length === 0 && identifiers.length > 0) return found;
      const planes = await planesOf(app, projectId);
      const offered = await findOffered(planes, { projectId, identifiers: missing });
      if (!offered) throw new Fault("not-found", `There is no project ${projectId}.`);
      for (const configuration of offered.values()) {
        found.set(configuration.identifier, configuration);
        // Only live configurations are cached: writes check the version.
        if (configuration.version !== null)
          cache.set(keyOf(projectId, configuration.identifier), configuration);
      }
      return found;
    },
    async findDisplayed(projectId, identifier, version) {
      const key = `${keyOf(projectId, identifier)} ${version}`;
      const known = cache.get(key);
      if (known) return known;
      const planes = await planesOf(app, projectId);
      const offered = await findOffered(planes, { projectId, identifiers: [identifier], version });
      const found = offered?.get(identifier);
      // A configuration that the version does not contain is returned as it is in the vault.
      if (found?.version !== version) return undefined;
      cache.set(key, found);
      return found;
    },
    forget(projectId, identifier) {
      cache.delete(keyOf(projectId, identifier));
    },
    async listVersion(projectId, version, limit) {
      const key = `${projectId} ${version} ${limit}`;
      const known = versions.get(key);
      if (known) return known;
      const found = await listVersionOffers((await planesOf(app, projectId)).data, {
        projectId,
        version,
        limit,
      });
      const identifiers = new Set(found.items.map(({ identifier }) => identifier));
      const offered = { ...found, identifiers };
      versions.set(key, offered);
      return offered;
    },
  };
}

function keyOf(projectId: string, identifier: string): string {
  return `${projectId} ${identifier}`;
}

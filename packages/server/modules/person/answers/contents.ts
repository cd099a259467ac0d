import type { Collection } from "@avow/contract/collections";
import { LRUCache } from "lru-cache";
import type { Db } from "../../../platform/db/db.ts";
import {
  type AnyConfiguration,
  type Content,
  listAsking,
  parseContent,
} from "@avow/contract/published";
import { findPublishedContent } from "../../evidence/log/sequence/publications.ts";

const CACHED_CHARS_MAX = 16 * 1024 * 1024;
/** The widget's default for a configuration without a language. */
const DEFAULT_LANGUAGE = "en";

/** A published configuration, with the widget's own texts in its language. */
export type Configuration = AnyConfiguration & {
  collection: Collection;
  words: Readonly<Record<string, string>>;
};

/** The configurations of a published version, by identifier. */
type Configurations = ReadonlyMap<string, Configuration>;

const nothing: Configurations = new Map();

/** A cache of parsed published versions, which never change. */
export interface Contents {
  find(version: { projectId: string; version: number }): Promise<Configurations>;
}

export function openContents(db: Db): Contents {
  const cache = new LRUCache<string, { length: number; configurations: Configurations }>({
    maxSize: CACHED_CHARS_MAX,
    sizeCalculation: ({ length }) => length + 1,
  });
  return {
    async find(version) {
      const key = `${version.projectId} ${version.version}`;
      const known = cache.get(key);
      if (known) return known.configurations;
      const text = await findPublishedContent(db, version);
      if (text === undefined) return nothing;
      const configurations = toConfigurations(parseContent(text));
      cache.set(key, { length: text.length, configurations });
      return configurations;
    },
  };
}

function toConfigurations(content: Content): Configurations {
  return new Map(
    listAsking(content).map(({ collection, configuration }) => {
      const { language = DEFAULT_LANGUAGE, identifier } = configuration;
      const words = content.widget?.words[language] ?? {};
      return [identifier, { ...configuration, collection, words }] as const;
    }),
  );
}

import { LRUCache } from "lru-cache";
import type { Db } from "../../platform/db/db.ts";
import { type Fields, toFields, toList } from "../evidence/forms/fields.ts";
import { findPublishedContent } from "../evidence/publications.ts";

/** Characters of content in memory at most. */
const CACHED_CHARS_MAX = 16 * 1024 * 1024;
const lists = ["cookies", "processings", "contracts"] as const;

/** The configurations of a published version, by their identifiers. */
export type Configurations = ReadonlyMap<string, Fields & { collection: string }>;

const nothing: Configurations = new Map();

/** What versions published, read out; what was published never changes. */
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
      const configurations = readConfigurations(toFields(JSON.parse(text)));
      cache.set(key, { length: text.length, configurations });
      return configurations;
    },
  };
}

function readConfigurations(content: Fields): Configurations {
  return new Map(
    lists.flatMap((collection) =>
      toList(content[collection]).map(
        (fields) => [String(fields["identifier"]), { ...fields, collection }] as const,
      ),
    ),
  );
}

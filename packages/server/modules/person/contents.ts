import { LRUCache } from "lru-cache";
import type { Db } from "../../platform/db/db.ts";
import { type Fields, toFields, toLine, toList } from "../evidence/reports/statement/fields.ts";
import { findPublishedContent } from "../evidence/log/sequence/publications.ts";

/** Characters of content in memory at most. */
const CACHED_CHARS_MAX = 16 * 1024 * 1024;
/** Of a configuration that says none, as the widget takes it. */
const DEFAULT_LANGUAGE = "en";
const lists = ["cookies", "processings", "contracts"] as const;

/** A configuration as a version published it, with what the widget says of its own in its language. */
export type Configuration = Fields & { collection: string; words: Fields };

/** The configurations of a published version, by their identifiers. */
export type Configurations = ReadonlyMap<string, Configuration>;

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
  const spoken = toFields(toFields(content["widget"])["words"]);
  return new Map(
    lists.flatMap((collection) =>
      toList(content[collection]).map((fields) => {
        const words = toFields(spoken[toLine(fields["language"]) ?? DEFAULT_LANGUAGE]);
        return [String(fields["identifier"]), { ...fields, collection, words }] as const;
      }),
    ),
  );
}

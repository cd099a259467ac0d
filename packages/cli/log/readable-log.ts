import type { TileSource } from "./tree.ts";

/** A log that can be read. */
export interface ReadableLog extends TileSource {
  /** The name of the log in reports. */
  name: string;
  /** The newest signed tree; with `isWitnessed` the newest that witnesses cosigned. */
  readCheckpoint: (isWitnessed: boolean) => Promise<string>;
  /** The keys that the log announces, as JSON; undefined without an announcement. */
  readKeys: () => Promise<string | undefined>;
}

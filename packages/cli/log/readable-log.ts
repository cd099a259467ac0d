import type { TileSource } from "./tree.ts";

/** A log that can be read. */
export interface ReadableLog extends TileSource {
  /** What it is called in reports. */
  name: string;
  /** The newest signed tree; with `isWitnessed` the newest that witnesses cosigned. */
  readCheckpoint: (isWitnessed: boolean) => Promise<string>;
  /** Who it says signs it, as JSON; undefined where it says nothing. */
  readKeys: () => Promise<string | undefined>;
}

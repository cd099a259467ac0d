import type { Entry, ReadEntry } from "./entry.ts";
import type { Place, Source } from "./lines.ts";

/** One entry of a file, or why a line is none. */
export type Item = {
  /** The number of its first line. */
  line: number;
  /** The number of the line after it. */
  nextLine: number;
  /** The byte after it. */
  end: number;
  /** What a line says, or those of an entry with line ends in it. */
  text: string;
} & ({ entry: Entry; reason?: undefined } | { reason: string; entry?: undefined });

/** How files of one kind are read. */
export interface Format {
  name: string;
  contentTypes: readonly string[];
  /**
   * Reads what a file says from a place on, some hundred entries at a time.
   * @throws Fault invalid when the file as a whole is not of this kind
   */
  read: (source: Source, from: Place, readEntry: ReadEntry) => AsyncGenerator<Item[]>;
  /** What is wrong with a file that says itself how long it has to be; asked before it is read. */
  findLack?: (path: string, size: number) => Promise<string | undefined>;
}

import type { Entry, ReadEntry } from "./entry.ts";
import type { FilePosition, Source } from "./lines.ts";

/** One entry of a file, or the reason why a line is invalid. */
export type Item = {
  /** The number of its first line. */
  line: number;
  /** The number of the line after it. */
  nextLine: number;
  /** The byte after it. */
  end: number;
  /** The text of the line, or of all lines of an entry with line breaks. */
  text: string;
} & ({ entry: Entry; reason?: undefined } | { reason: string; entry?: undefined });

export interface Format {
  name: string;
  contentTypes: readonly string[];
  /**
   * Reads a file from a position, some hundred entries at a time.
   * @throws Fault invalid when the file as a whole is not of this format
   */
  read: (source: Source, from: FilePosition, readEntry: ReadEntry) => AsyncGenerator<Item[]>;
  /** The error of an incomplete file that states its own length; checked before it is read. */
  findDefect?: (path: string, size: number) => Promise<string | undefined>;
}

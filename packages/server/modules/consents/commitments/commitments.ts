import type { RecordedRow } from "./recorded-store.ts";

/** What the log commits to of some records, of each 32 bytes, in their order. */
export interface Commitments {
  /** SHA-256 of salt and record. */
  entries: Buffer;
  salts: Buffer;
}

/** A record that is about to be written. */
export interface Recordable {
  id: string;
  token: string;
  /** When it was made, in RFC 3339 with milliseconds and Z. */
  at: string;
  /** The same object for records that differ in nothing but the above; undefined: perhaps in more. */
  like: object | undefined;
}

/**
 * Makes what the log commits to of records that are about to be written; `toRow` tells one as the
 * database will have it. The log's, which is handed down.
 */
export type Commit = <T extends Recordable>(
  records: readonly T[],
  toRow: (record: T) => RecordedRow,
) => Promise<Commitments>;

/**
 * Makes what the log commits to of one record that is about to be written, without waiting for anything;
 * undefined where it is told with something that is not remembered: then the log reads the record. The
 * log's, which is handed down.
 */
export type CommitKnown = (row: RecordedRow) => { entry: Buffer; salt: Buffer } | undefined;

import type { ReadableLog } from "./readable-log.ts";

/** A key that signs the log's checkpoints. */
export interface OwnKey {
  verifier: string;
  /** Whether it signed the last tree. */
  isSigning: boolean;
  /** Whether an entry of the log announces it. */
  isAnnounced: boolean;
}

/** The verifier keys after a rotation, the newest first. */
export interface RotatedKeys {
  keys: readonly string[];
  dropped: readonly string[];
  /** The new value of EVIDENCE_LOG_KEYS, for the operator to set; undefined where a file was written. */
  setting: string | undefined;
}

/** Counts of the records, publications and documents that were checked against the log. */
export interface RecordsTally {
  places: number;
  consents: number;
  publications: number;
  erased: number;
  findings: number;
}

/** A record that does not match the log, described in a sentence. */
export interface RecordFinding {
  name: string;
  says: string;
}

/** The log of the service on this machine, in its database. The service implements it. */
export interface OwnLog extends AsyncDisposable {
  /** Whether no running service was detected. */
  isStopped: boolean;
  /** The log in the database; undefined before its first tree. */
  openReadable: () => Promise<ReadableLog | undefined>;
  /** The newest first. */
  listKeys: () => Promise<readonly OwnKey[]>;
  /** The verifier keys that signed the last tree. */
  listSigners: () => Promise<readonly string[]>;
  addKey: () => Promise<RotatedKeys>;
  /** Removes every key except the newest. */
  dropOldKeys: () => Promise<RotatedKeys>;
  auditRecords: (options: {
    /** The number of leaves of the tree that the records are checked against. */
    size: number;
    signal: AbortSignal;
    onFinding: (finding: RecordFinding) => void;
    onProgress: (tally: Readonly<RecordsTally>) => void;
  }) => Promise<RecordsTally>;
}

export type OpenOwnLog = () => Promise<OwnLog>;

import type { ReadableLog } from "./readable-log.ts";

/** A key that the log's checkpoints are signed with. */
export interface OwnKey {
  verifier: string;
  /** Whether the last tree is signed by it. */
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

/** The number of records, publications and documents that were held against the log. */
export interface RecordsTally {
  places: number;
  consents: number;
  publications: number;
  erased: number;
  findings: number;
}

/** A record that does not hold, in a sentence. */
export interface RecordFinding {
  name: string;
  says: string;
}

/** The log of the service on this machine, in its database. The service implements it. */
export interface OwnLog extends AsyncDisposable {
  /** Whether no service runs on it, as far as can be told. */
  isStopped: boolean;
  /** The log as the database has it; undefined before its first tree. */
  openReadable: () => Promise<ReadableLog | undefined>;
  /** The newest first. */
  listKeys: () => Promise<readonly OwnKey[]>;
  /** The verifier keys that the last tree is signed by. */
  listSigners: () => Promise<readonly string[]>;
  addKey: () => Promise<RotatedKeys>;
  /** Leaves the newest key alone. */
  dropOldKeys: () => Promise<RotatedKeys>;
  auditRecords: (options: {
    /** Leaves of the tree that the records are held against. */
    size: number;
    signal: AbortSignal;
    onFinding: (finding: RecordFinding) => void;
    onProgress: (tally: Readonly<RecordsTally>) => void;
  }) => Promise<RecordsTally>;
}

export type OpenOwnLog = () => Promise<OwnLog>;

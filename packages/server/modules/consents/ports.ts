import type { FastifyBaseLogger } from "fastify";
import type { Config } from "../../config/config.ts";
import type { Intervals } from "../../kernel/intervals.ts";
import type { Jobs } from "../../kernel/jobs.ts";
import type { AllPlanes } from "../../platform/db/buckets/buckets.ts";
import type { DataDb, DataTx } from "../../platform/db/db.ts";
import type { DiskSpace } from "../../platform/disk-space.ts";
import type { Device } from "./device.ts";
import type { RecordedRow } from "./records/row.ts";

/** A banner or form that was displayed to a visitor. */
export interface Impression {
  /** The id of the configuration. */
  identifier: string;
  /** The step with which a banner opened (`cutStep`); '' for a consent form. */
  step: string;
  device: Device;
}

/**
 * The dependencies that the composition root passes to this module; each folder picks its own. Routes also take
 * `Streams` (`read`), and erasure takes a `Forget` with each call.
 */
export interface ConsentsPorts extends AllPlanes {
  /** For the collector's own connections. */
  dataUrl: string;
  now: () => Date;
  log: FastifyBaseLogger;
  config: Pick<Config, "collect" | "database">;
  intervals: Intervals;
  publicUrl: string;
  jobs: Jobs;
  /** Free space of the disk with the database. */
  diskSpace: DiskSpace;
  /** Creates the commitments of imports. */
  commit: Commit;
  /** Creates the commitments of collection. */
  commitKnown: CommitKnown;
  tickets: Tickets;
  /** The checkpoint of the log's latest tree; undefined before the first one. */
  findCheckpoint: (tx: DataTx) => Promise<string | undefined>;
  findLogSize: (db: DataDb | DataTx) => Promise<number>;
  /** The consents of these leaves, in log order, which never changes. */
  listPlacedConsents: (
    db: DataDb | DataTx,
    range: { from: number; to: number },
  ) => Promise<readonly { projectId: string; consentId: string }[]>;
}

/** The commitments to a list of records, 32 bytes each, in the same order. */
export interface Commitments {
  /** SHA-256 of salt and record. */
  entries: Buffer;
  salts: Buffer;
}

/** A record to commit to, before it is written. */
export interface Recordable {
  id: string;
  token: string;
  /** Creation time in RFC 3339, with milliseconds and Z. */
  at: string;
  /** The same object for records that are equal except for the fields above; undefined: they may differ. */
  like: object | undefined;
}

/** Creates the log's commitments to records before they are written; `toRow` creates the row of a record. */
export type Commit = <T extends Recordable>(
  records: readonly T[],
  toRow: (record: T) => RecordedRow,
) => Promise<Commitments>;

/**
 * Creates the log's commitment to a record before it is written, synchronously. Undefined if it depends on data that is
 * not cached: the log then creates it later from the stored record.
 */
export type CommitKnown = (row: RecordedRow) => { entry: Buffer; salt: Buffer } | undefined;

/** The content of a display ticket with a valid signature. */
export interface Display {
  id: string;
  /** The live version at that time. */
  version: number;
  /** Time of issue. */
  displayedAt: Date;
  expiresAt: Date;
  /** The counted impression; undefined: the display was not counted. */
  shown: Impression | undefined;
}

/** Issues and validates display tickets, without storing them. */
export interface Tickets {
  /** `origin`: of the requesting page; '' without one. */
  issue(given: {
    projectId: string;
    version: number;
    origin: string;
    now: Date;
    shown?: Impression | undefined;
  }): Promise<{ ticket: string; expiresAt: Date }>;
  /** Returns the content of a ticket, or an error message. `origin` undefined: any. */
  check(
    ticket: string,
    given: { projectId: string; origin: string | undefined; now: Date },
  ): Promise<Display | string>;
}

/** Deletes the data that other modules store about erased records, in the same transaction. */
export type Forget = (tx: DataTx, projectId: string, ids: readonly string[]) => Promise<void>;

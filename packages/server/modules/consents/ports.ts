import type { FastifyBaseLogger } from "fastify";
import type { Config } from "../../config/config.ts";
import type { Intervals } from "../../kernel/intervals.ts";
import type { Jobs } from "../../kernel/jobs.ts";
import type { Db, Tx } from "../../platform/db/db.ts";
import type { DiskRoom } from "../../platform/disk-room.ts";
import type { Device } from "./device.ts";
import type { RecordedRow } from "./records/row.ts";

/** A banner or form as it was displayed to a visitor. */
export interface Impression {
  /** The configuration. */
  identifier: string;
  /** The step that a banner opened with (`cutStep`); '' in a consent form. */
  step: string;
  device: Device;
}

/**
 * Everything that the composition root hands to this module; each room picks what it needs. Routes also take `Streams`
 * (`read`), and erasure a `Forget` with each call.
 */
export interface ConsentsPorts {
  db: Db;
  /** For the collector's own connections. */
  databaseUrl: string;
  now: () => Date;
  log: FastifyBaseLogger;
  config: Pick<Config, "collect">;
  intervals: Intervals;
  publicUrl: string;
  jobs: Jobs;
  /** Free space of the disk with the database. */
  room: DiskRoom;
  /** Imports commit to their records by this, … */
  commit: Commit;
  /** … and collection by this. */
  commitKnown: CommitKnown;
  tickets: Tickets;
  /** The checkpoint of the log's last tree; undefined before the first. */
  findCheckpoint: (tx: Tx) => Promise<string | undefined>;
  findLogSize: (db: Db | Tx) => Promise<number>;
  /** The consents of these leaves, in the order of the log, which never changes. */
  listPlacedConsents: (
    db: Db | Tx,
    range: { from: number; to: number },
  ) => Promise<readonly { projectId: string; consentId: string }[]>;
}

/** The commitments to some records, 32 bytes each, in their order. */
export interface Commitments {
  /** SHA-256 of salt and record. */
  entries: Buffer;
  salts: Buffer;
}

/** A record that is about to be written. */
export interface Recordable {
  id: string;
  token: string;
  /** Its creation in RFC 3339, with milliseconds and Z. */
  at: string;
  /** The same object for records that differ in nothing but the above; undefined: perhaps in more. */
  like: object | undefined;
}

/** Makes the log's commitments to records that are about to be written; `toRow` makes the row of one. */
export type Commit = <T extends Recordable>(
  records: readonly T[],
  toRow: (record: T) => RecordedRow,
) => Promise<Commitments>;

/**
 * Makes the log's commitment to a record that is about to be written, without waiting; undefined where it refers to
 * something that is not cached: the log then reads the record.
 */
export type CommitKnown = (row: RecordedRow) => { entry: Buffer; salt: Buffer } | undefined;

/** The content of a display ticket with a valid signature. */
export interface Display {
  /** Unique to this ticket. */
  id: string;
  /** The version that was live when it was issued. */
  version: number;
  /** When it was issued. */
  displayedAt: Date;
  expiresAt: Date;
  /** The counted part of the display; undefined: it was not counted. */
  shown: Impression | undefined;
}

/** Issues display tickets and reads them back. Nothing is kept of them. */
export interface Tickets {
  /** `origin`: of the page that asks; '' where it says none. */
  issue(given: {
    projectId: string;
    version: number;
    origin: string;
    now: Date;
    shown?: Impression | undefined;
  }): Promise<{ ticket: string; expiresAt: Date }>;
  /** The content of a ticket, or in words what is wrong with it; `origin` undefined: any. */
  check(
    ticket: string,
    given: { projectId: string; origin: string | undefined; now: Date },
  ): Promise<Display | string>;
}

/** Deletes what other modules keep of erased records, in the same transaction. */
export type Forget = (tx: Tx, projectId: string, ids: readonly string[]) => Promise<void>;

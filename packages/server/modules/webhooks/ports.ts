import type { FastifyBaseLogger } from "fastify";
import type { Config } from "../../config/config.ts";
import type { Scope } from "../../kernel/actor.ts";
import type { Counters } from "../../kernel/counters.ts";
import type { AllPlanes } from "../../platform/db/buckets/buckets.ts";
import type { Db, Tx } from "../../platform/db/db.ts";
import type { MailLanguage } from "../../platform/mail/languages.ts";
import type { LookupAll } from "../../platform/outbound/lookup.ts";
import type { Poster } from "../../platform/outbound/post.ts";

/** A consent record's position in the transparency log. */
interface LoggedConsent {
  leaf: number;
  projectId: string;
  consentId: string;
}

/** The fields of a consent record that decide which endpoints receive it. */
export interface ConsentOutline {
  consentId: string;
  projectId: string;
  token: string;
  collection: string;
  identifier: string;
  createdAt: Date;
  isWithdrawal: boolean;
  /** Upper bound of the record's size in JSON. */
  bytesMax: number;
}

type Keys = readonly Pick<LoggedConsent, "projectId" | "consentId">[];

/** Data of other modules. This module calls none of them. */
export interface Sources {
  /** Number of entries in the log. */
  findLogSize: () => Promise<number>;
  /** The consents of all projects from one leaf up to another, in log order. */
  listPlacedConsents: (range: { from: number; to: number }) => Promise<LoggedConsent[]>;
  /** Outlines of these records, without erased and imported ones. */
  listRecordOutlines: (keys: Keys) => Promise<ConsentOutline[]>;
  /** The same records in full, as the API returns them. */
  listConsentsForWebhooks: (
    keys: Keys,
    publicUrl: string,
  ) => Promise<{ consentId: string; createdAt: string }[]>;
  /** Ids of the users who may receive events of each of these documents. */
  listReceivers: (
    db: Db | Tx,
    documentIds: readonly string[],
  ) => Promise<ReadonlyMap<string, ReadonlySet<string>>>;
  /** Owners of a project, or of its organization. */
  listOwnerIds: (db: Db | Tx, projectId: string, max: number) => Promise<string[]>;
  /** @throws Fault not-found or forbidden unless the scope may receive the project's events */
  assertReceiver: (db: Db | Tx, scope: Scope, projectId: string) => Promise<void>;
}

/** The mail about a disabled endpoint, to its creator or an owner. */
export interface DisabledLetter {
  /** Null for a user without an address: no mail is sent. */
  to: string | null;
  language: MailLanguage;
  letter: {
    kind: "webhook-disabled";
    because: "gone" | "failing";
    host: string;
    webhookId: string;
  };
}

/** Encrypts secrets and headers, so that a database dump does not reveal them. */
export interface Sealing {
  seal: (value: unknown) => Buffer;
  /** @throws Error for data sealed under another secret */
  unseal: <T>(sealed: Buffer) => T;
  /** A keyed hash of a text, 31 bits. */
  toKey: (text: string) => number;
}

/** Memory reserved for one body and its response, until disposed. */
export interface Reservation extends Disposable {
  /** Replaces the reserved upper bound by the body's size. */
  settle: (bytes: number) => void;
  /** Reserves memory for more of the response; returns how much of it fits. */
  keep: (bytes: number) => number;
}

/** Memory of this process for bodies in flight and their responses. */
export interface BodyMemory {
  /** Undefined while there is no memory for a body of this size, or none for this creator. */
  reserve: (creator: string, bytes: number) => Reservation | undefined;
  /** Whether there is no memory for a short body. */
  isFull: () => boolean;
  readings: readonly { name: string; help: string; read: () => number }[];
}

/** The dependencies that the composition root passes to this module. */
export interface WebhooksApp extends AllPlanes {
  /** Connections of the sender, without synchronous commit: a lost outcome is delivered again. */
  sendingDb: Db;
  now: () => Date;
  log: Pick<FastifyBaseLogger, "debug" | "info" | "warn" | "error">;
  config: Config;
  publicUrl: string;
  sealing: Sealing;
  counters: Counters;
  sources: Sources;
  poster: Pick<Poster, "post">;
  held: BodyMemory;
  /** Mails wait in the outbox, in the caller's transaction. */
  outbox: { postLetter: (tx: Tx, now: Date, posted: DisabledLetter) => Promise<void> };
  /** Resolves the host when an address is registered. */
  lookup: LookupAll;
}

import type { FastifyBaseLogger } from "fastify";
import type { Config } from "../../config/config.ts";
import type { Scope } from "../../kernel/actor.ts";
import type { Db, Tx } from "../../platform/db/db.ts";
import type { MailLanguage } from "../../platform/mail/languages.ts";
import type { LookupAll } from "../../platform/outbound/lookup.ts";
import type { Poster } from "../../platform/outbound/post.ts";
import type { HeldBytes } from "./held-bytes.ts";
import type { Sealing } from "./sealing.ts";

/** A consent's place in the order that consents are told in. */
export interface Placed {
  leaf: number;
  projectId: string;
  consentId: string;
}

/** What of a consent decides who is told of it. */
export interface Outline {
  consentId: string;
  projectId: string;
  token: string;
  collection: string;
  identifier: string;
  createdAt: Date;
  isWithdrawal: boolean;
  /** The consent as it is answered has no more bytes than that. */
  bytesMax: number;
}

type Keys = readonly Pick<Placed, "projectId" | "consentId">[];

/** What other modules know and hand down: this one calls none of them. */
export interface Sources {
  /** How many entries the log has. */
  findLogSize: (db: Db | Tx) => Promise<number>;
  listPlacedConsents: (db: Db | Tx, range: { from: number; to: number }) => Promise<Placed[]>;
  /** Of consents what decides who is told; without those that were erased or imported. */
  listToldOutlines: (db: Db | Tx, keys: Keys) => Promise<Outline[]>;
  /** The same consents as they are answered, which may be long. */
  listToldConsents: (
    db: Db | Tx,
    keys: Keys,
    publicUrl: string,
  ) => Promise<{ consentId: string; createdAt: string }[]>;
  /** Who may receive what happens to these documents. */
  listReceivers: (
    db: Db | Tx,
    documentIds: readonly string[],
  ) => Promise<ReadonlyMap<string, ReadonlySet<string>>>;
  /** Who owns a project, `max` at most: the organization's owners where it is of one. */
  listOwnerIds: (db: Db | Tx, projectId: string, max: number) => Promise<string[]>;
  /** Throws `Fault` (not-found, forbidden) for who may not receive a project's events. */
  assertReceiver: (db: Db | Tx, scope: Scope, projectId: string) => Promise<void>;
}

/** That a webhook was disabled, to one of those whom it concerns. */
export interface DisabledLetter {
  /** Null: who has no address, and gets none. */
  to: string | null;
  language: MailLanguage;
  letter: {
    kind: "webhook-disabled";
    because: "gone" | "failing";
    host: string;
    webhookId: string;
  };
}

/** What the parts of this module need. */
export interface WebhooksApp {
  db: Db;
  /** Connections of sending alone, whose commits are not waited for: what is lost is sent again. */
  sendingDb: Db;
  now: () => Date;
  log: Pick<FastifyBaseLogger, "debug" | "info" | "warn" | "error">;
  config: Config;
  publicUrl: string;
  sealing: Sealing;
  sources: Sources;
  poster: Poster;
  /** What was read to be sent, and of answers, by this node. */
  held: HeldBytes;
  /** Where mails are posted in the transaction of what they tell. */
  outbox: { postLetter: (tx: Tx, now: Date, posted: DisabledLetter) => Promise<void> };
  /** Who resolves names when an address is registered. */
  lookup?: LookupAll;
}

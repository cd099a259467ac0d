import { hash } from "node:crypto";
import canonicalize from "canonicalize";
import { Fault } from "../../../platform/errors.ts";
import { newConsentToken } from "../../../platform/crypto/tokens.ts";
import type { OfferedConfiguration } from "../offers/offered.ts";
import type { Answer } from "../records/answer.ts";
import type { Answers } from "../states/states.ts";
import type { Sender } from "./sender.ts";
import type { ConsentRecord } from "../records/row.ts";
import type { Redeemable } from "./redeemable-tickets.ts";

/** 16 of the 32 bytes: half as much to store, and still no two texts with one hash can be found. */
const HASH_DIGITS = 32;
/** Retention of the ids of batches: phones are switched off for weeks. */
const BATCH_ID_MS = 90 * 86_400_000;
/** Retention of an idempotency key, as of every other (wire section 0). */
const IDEMPOTENCY_MS = 86_400_000;

/** A key that a client sent a consent under, so that it is kept once. */
export interface ConsentKey {
  /** 16 bytes in hexadecimal digits: the key itself is not kept. */
  hash: string;
  /** A digest of the request that was sent under it. */
  digest: string;
  expiresAfterMs: number;
  /** The key in words, for errors. */
  name: string;
}

/** A consent that waits to be written. */
export interface Pending {
  projectId: string;
  configuration: OfferedConfiguration;
  answer: Answer;
  token: string;
  /** Whether the visitor came with the token, so that there may be a state already. */
  isKnownToken: boolean;
  sender: Pick<Sender, "userAgent" | "gpc" | "isServer">;
  /** The display ticket that came with it, where it is valid; it may have been used before. */
  ticket: Redeemable | undefined;
  /** The reason that the ticket which came with it does not count. */
  ticketFault: string | undefined;
  /** The earlier version that was shown, as the client says. */
  shown: OfferedConfiguration | undefined;
  key: ConsentKey | undefined;
  /** An estimate. */
  sizeBytes: number;
}

/** A consent that is durable. */
export interface CollectedConsent {
  record: ConsentRecord;
  /** Whether it was stored before, under the same key. */
  isReplay: boolean;
  /** Undefined for a replay. */
  answers: Answers | undefined;
}

/** The key of an `Idempotency-Key`. `sent`: the part of the request that has to be the same in a retry. */
export function toIdempotencyKey(key: string, sent: unknown): ConsentKey {
  const name = "This Idempotency-Key";
  return { ...toKey(`key ${key}`, sent), expiresAfterMs: IDEMPOTENCY_MS, name };
}

/**
 * The key of a consent in a batch: the client's own id of it. The stored part of the answer has to be the same in a
 * retry, however it is written; a sender without a token may still have none.
 */
export function toBatchKey(
  id: string,
  item: Pick<ConsentRecord, "collection" | "identifier">,
  answer: Answer,
): ConsentKey {
  const name = `The id ${id}`;
  const { token = null, accept, preferences, value, language, url, clientAt } = answer;
  const values = [
    token,
    accept,
    preferences,
    value,
    language,
    url,
    clientAt?.toISOString() ?? null,
  ];
  const sent = canonicalize([item.collection, item.identifier, ...values]);
  return { ...toKey(`id ${id}`, sent), expiresAfterMs: BATCH_ID_MS, name };
}

function toKey(name: string, sent: unknown): Pick<ConsentKey, "hash" | "digest"> {
  return { hash: sha256(name), digest: sha256(JSON.stringify(sent)) };
}

function sha256(text: string): string {
  return hash("sha256", text, "hex").slice(0, HASH_DIGITS);
}

/** The error for reusing a key with another consent. */
export function toKeyFault(key: ConsentKey): Fault {
  return new Fault("impossible", `${key.name} was used for another consent.`);
}

/** An answer as a consent that waits to be written; a visitor without a token gets one. */
export function toPending(
  answer: Answer,
  given: Omit<Pending, "answer" | "token" | "isKnownToken">,
  now: Date,
): Pending {
  const { token } = answer;
  return {
    projectId: given.projectId,
    configuration: given.configuration,
    answer,
    token: token ?? newConsentToken(now),
    isKnownToken: token !== undefined,
    sender: given.sender,
    ticket: given.ticket,
    ticketFault: given.ticketFault,
    shown: given.shown,
    key: given.key,
    sizeBytes: given.sizeBytes,
  };
}

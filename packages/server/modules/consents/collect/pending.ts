import { hash } from "node:crypto";
import canonicalize from "canonicalize";
import { Fault } from "../../../platform/errors.ts";
import { newConsentToken } from "../../../platform/crypto/tokens.ts";
import type { OfferedConfiguration } from "../offers/offered.ts";
import type { Answer } from "../records/record-body.ts";
import type { Sender } from "./sender.ts";
import type { NewConsent } from "../records/store.ts";
import type { Redeemable } from "./redeemable-tickets.ts";

/** 16 of the 32 bytes: half as much to keep, and still nobody finds two texts for one. */
const HASH_DIGITS = 32;
/** How long the ids of batches are known: phones are switched off for weeks. */
const BATCH_ID_MS = 90 * 86_400_000;
/** As long as every other answer is kept for its key (wire section 0). */
const IDEMPOTENCY_MS = 86_400_000;

/** A key that a client sent a consent under, so that it is kept once. */
export interface ConsentKey {
  /** 16 bytes in hexadecimal digits: what the client sent is not kept. */
  hash: string;
  /** Of all that was sent under it. */
  digest: string;
  expiresAfterMs: number;
  /** What the client calls it. */
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
  /** The display ticket that came with it, where it counts unless it was used before. */
  ticket: Redeemable | undefined;
  /** Why the ticket that came with it does not count. */
  ticketFault: string | undefined;
  /** The earlier version that was shown, as the client says. */
  shown: OfferedConfiguration | undefined;
  key: ConsentKey | undefined;
  /** About how large it is. */
  sizeBytes: number;
}

/** A consent that is durable. */
export interface Collected {
  record: NewConsent;
  /** Whether it was kept before, under the same key. */
  isReplay: boolean;
}

/** The key of an `Idempotency-Key`. `sent`: all that is to be the same when it is sent again. */
export function toIdempotencyKey(key: string, sent: unknown): ConsentKey {
  const name = "This Idempotency-Key";
  return { ...toKey(`key ${key}`, sent), expiresAfterMs: IDEMPOTENCY_MS, name };
}

/**
 * The key of a consent in a batch: the client's own id of it. What is kept of an answer is to be the
 * same when it is sent again, however it is written; who sent no token may go on sending none.
 */
export function toBatchKey(
  id: string,
  asked: Pick<NewConsent, "collection" | "identifier">,
  answer: Answer,
): ConsentKey {
  const name = `The id ${id}`;
  const { token = null, accept, preferences, value, language, url, clientAt } = answer;
  const said = [token, accept, preferences, value, language, url, clientAt?.toISOString() ?? null];
  const sent = canonicalize([asked.collection, asked.identifier, ...said]);
  return { ...toKey(`id ${id}`, sent), expiresAfterMs: BATCH_ID_MS, name };
}

function toKey(name: string, sent: unknown): Pick<ConsentKey, "hash" | "digest"> {
  return { hash: sha256(name), digest: sha256(JSON.stringify(sent)) };
}

function sha256(text: string): string {
  return hash("sha256", text, "hex").slice(0, HASH_DIGITS);
}

/** What is said to who uses a key again for something else. */
export function toKeyFault(key: ConsentKey): Fault {
  return new Fault("impossible", `${key.name} was used for another consent.`);
}

/** What is to be written of an answer; a visitor without a token gets one. */
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

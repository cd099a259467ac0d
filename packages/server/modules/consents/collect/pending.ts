import { hash } from "node:crypto";
import canonicalize from "canonicalize";
import { Fault, assertNoFaults } from "../../../platform/errors.ts";
import { newConsentToken } from "../../../platform/crypto/tokens.ts";
import type { OfferedConfiguration } from "../offers/offered.ts";
import type { Answer } from "../records/answer.ts";
import type { Answers } from "../states/states.ts";
import type { Sender } from "./sender.ts";
import type { ConsentRecord } from "../records/row.ts";
import type { Redeemable } from "./redeemable-tickets.ts";

/** 16 of the 32 bytes of SHA-256, which halves the storage and is still collision-resistant. */
const HASH_DIGITS = 32;
/** Retention of batch ids: a phone may be switched off for weeks. */
const BATCH_ID_MS = 90 * 86_400_000;
/** Retention of idempotency keys (wire section 0). */
const IDEMPOTENCY_MS = 86_400_000;

/** The key by which a consent is deduplicated. */
export interface ConsentKey {
  /** 16 bytes in hexadecimal; the key itself is not stored. */
  hash: string;
  /** Digest of the request. */
  digest: string;
  expiresAfterMs: number;
  /** Name of the key in error messages. */
  name: string;
}

/** A consent that is not written yet. */
export interface Pending {
  projectId: string;
  configuration: OfferedConfiguration;
  answer: Answer;
  token: string;
  /** Whether the request had a token, which may have a state already. */
  isKnownToken: boolean;
  sender: Pick<Sender, "userAgent" | "gpc" | "country" | "isServer">;
  /** Its display ticket if valid; it may have been used before. */
  ticket: Redeemable | undefined;
  /** The reason why its ticket was rejected. */
  ticketFault: string | undefined;
  /** The configuration in the earlier version that the client says it displayed. */
  shown: OfferedConfiguration | undefined;
  key: ConsentKey | undefined;
  /** An estimate. */
  sizeBytes: number;
}

export interface CollectedConsent {
  record: ConsentRecord;
  /** Whether an earlier request with the same key stored it. */
  isReplay: boolean;
  /** Undefined for a replay. */
  answers: Answers | undefined;
}

/** The key of an `Idempotency-Key` header. `sent`: the part of the request that must not change between retries. */
export function toIdempotencyKey(key: string, sent: unknown): ConsentKey {
  const name = "This Idempotency-Key";
  return { ...toKey(`key ${key}`, sent), expiresAfterMs: IDEMPOTENCY_MS, name };
}

/**
 * The key of a batch item: its client-side id. The stored part of the answer must not change between retries; its JSON
 * formatting may. A sender without a token may retry without one.
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

export function toKeyFault(key: ConsentKey): Fault {
  return new Fault(
    "impossible",
    `${key.name} was already used for another consent. Use a new one.`,
  );
}

/**
 * Creates a pending consent; an answer without a token gets a new one.
 * @throws Fault invalid for an answer of another consent tool to anything but a banner
 */
export function toPending(
  answer: Answer,
  given: Omit<Pending, "answer" | "token" | "isKnownToken">,
  now: Date,
): Pending {
  const { token, preferences } = answer;
  if (preferences?.imported && given.configuration.collection !== "cookies")
    assertNoFaults([{ path: "/preferences/imported", message: "is only for cookies" }]);
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

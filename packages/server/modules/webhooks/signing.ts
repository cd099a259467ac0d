import {
  type KeyObject,
  createPrivateKey,
  createPublicKey,
  randomBytes,
  sign as signBytes,
} from "node:crypto";
import { Webhook } from "standardwebhooks";

/** A secret that signs too until then (RFC 3339). */
interface Outgoing {
  hmac: string;
  until: string;
}

/** An Ed25519 seed that signs too until then. */
interface OutgoingKey {
  ed25519: string;
  until: string;
}

/** What a webhook's messages are signed with. */
export interface Secrets {
  /** As `whsec_…`. */
  hmac: string;
  /** The one before. */
  previous?: Outgoing;
  /** Those before that one, of which each has its own end. */
  earlier?: Outgoing[];
  /** The Ed25519 seed, 32 bytes in base64. */
  ed25519: string;
  /** The seeds before, of which each has its own end, the newest first. */
  earlierKeys?: OutgoingKey[];
}

export interface SignedMessage {
  id: string;
  at: Date;
  body: Buffer;
}

const SECRET_BYTES = 32;
const SECRET_PREFIX = "whsec_";
const PUBLIC_PREFIX = "whpk_";
/** What comes before the 32 bytes of a seed, and of a public key, in their ASN.1 forms (RFC 8410). */
const privateHead = Buffer.from("302e020100300506032b657004220420", "hex");
const PUBLIC_HEAD_BYTES = 12;

/** New secrets, from the system's random source. */
export function newSecrets(): Secrets {
  return { hmac: newSecret(), ed25519: newSeed() };
}

interface Rotation {
  now: Date;
  until: Date;
}

/**
 * A new secret; the one before goes on to sign until `until`, and those before it until their own ends. Where the one
 * before ends at once, so do they: whoever asks for that trusts none of them.
 */
export function rotateSecret(secrets: Secrets, { now, until }: Rotation): Secrets {
  const { previous: _, earlier: __, hmac, ...keys } = secrets;
  if (until <= now) return { ...keys, hmac: newSecret() };
  const previous = { hmac, until: until.toISOString() };
  return { ...keys, hmac: newSecret(), previous, earlier: toOutgoing(secrets, now) };
}

/** A new Ed25519 key, and those before, in the same way. */
export function rotateKey(secrets: Secrets, { now, until }: Rotation): Secrets {
  const last = { ed25519: secrets.ed25519, until: until.toISOString() };
  const earlierKeys = until <= now ? [] : [last, ...toOutgoingKeys(secrets, now)];
  return { ...secrets, ed25519: newSeed(), earlierKeys };
}

/** Those before the present one that sign at a time, the newest first. */
export function toOutgoing({ previous, earlier = [] }: Secrets, at: Date): Outgoing[] {
  const all = previous ? [previous, ...earlier] : earlier;
  return all.filter(({ until }) => Date.parse(until) > at.getTime());
}

/** The keys before the present one that sign at a time, the newest first. */
export function toOutgoingKeys({ earlierKeys = [] }: Secrets, at: Date): OutgoingKey[] {
  return earlierKeys.filter(({ until }) => Date.parse(until) > at.getTime());
}

function newSeed(): string {
  return randomBytes(SECRET_BYTES).toString("base64");
}

function newSecret(): string {
  return SECRET_PREFIX + randomBytes(SECRET_BYTES).toString("base64");
}

/** A seed's public key, that Ed25519 signatures are checked with, as Standard Webhooks writes it: `whpk_…`. */
export function toPublicKey(ed25519: string): string {
  const der = createPublicKey(toKey(ed25519)).export({ format: "der", type: "spki" });
  return PUBLIC_PREFIX + der.subarray(PUBLIC_HEAD_BYTES).toString("base64");
}

function toKey(seed: string): KeyObject {
  const key = Buffer.concat([privateHead, Buffer.from(seed, "base64")]);
  return createPrivateKey({ key, format: "der", type: "pkcs8" });
}

/** Answers a message's headers. */
export type Sign = (message: SignedMessage) => Record<string, string>;

/**
 * Opens signing with a webhook's secrets, for many messages. The headers are those of Standard Webhooks:
 * `webhook-signature` has an HMAC-SHA256 (`v1`) for each secret in force and an Ed25519 signature (`v1a`) for each
 * key, all over `id.timestamp.body`.
 */
export function openSigner(secrets: Secrets): Sign {
  const key = toKey(secrets.ed25519);
  const outgoingKeys = toOutgoingKeys(secrets, new Date(0)).map(({ ed25519, until }) => ({
    key: toKey(ed25519),
    until: Date.parse(until),
  }));
  const current = new Webhook(secrets.hmac);
  const outgoing = toOutgoing(secrets, new Date(0)).map(({ hmac, until }) => ({
    webhook: new Webhook(hmac),
    until: Date.parse(until),
  }));
  return ({ id, at, body }) => {
    const isInForce = ({ until }: { until: number }) => until > at.getTime();
    const webhooks = [current, ...outgoing.filter(isInForce).map(({ webhook }) => webhook)];
    const seconds = Math.floor(at.getTime() / 1_000);
    const bytes = Buffer.concat([Buffer.from(`${id}.${seconds}.`), body]);
    const keys = [key, ...outgoingKeys.filter(isInForce).map((one) => one.key)];
    const asymmetric = keys.map((one) => `v1a,${signBytes(null, bytes, one).toString("base64")}`);
    const signatures = webhooks.map((webhook) => webhook.sign(id, at, body));
    return {
      "webhook-id": id,
      "webhook-timestamp": String(seconds),
      "webhook-signature": [...signatures, ...asymmetric].join(" "),
    };
  };
}

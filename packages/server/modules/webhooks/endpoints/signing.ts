import {
  type KeyObject,
  createPrivateKey,
  createPublicKey,
  randomBytes,
  sign as signBytes,
} from "node:crypto";
import { Webhook } from "standardwebhooks";

/** A rotated secret that still signs until then (RFC 3339). */
interface Outgoing {
  hmac: string;
  until: string;
}

interface OutgoingKey {
  ed25519: string;
  until: string;
}

/** The signing secrets of an endpoint, as they are sealed. */
export interface Secrets {
  /** As `whsec_…`. */
  hmac: string;
  previous?: Outgoing;
  /** Before `previous`; each has its own end. */
  earlier?: Outgoing[];
  /** The Ed25519 seed, 32 bytes in base64. */
  ed25519: string;
  /** The seeds before, the newest first. */
  earlierKeys?: OutgoingKey[];
}

const SECRET_BYTES = 32;
const SECRET_PREFIX = "whsec_";
const PUBLIC_PREFIX = "whpk_";
/** ASN.1 prefix of a seed (RFC 8410), and the length of that of a public key. */
const privateHead = Buffer.from("302e020100300506032b657004220420", "hex");
const PUBLIC_HEAD_BYTES = 12;

export function newSecrets(): Secrets {
  return { hmac: newSecret(), ed25519: newSeed() };
}

interface Rotation {
  now: Date;
  until: Date;
}

/**
 * A new secret. The current one signs until `until`, earlier ones until their own ends; without an overlap all of them
 * end at once, because the caller trusts none of them.
 */
export function rotateSecret(secrets: Secrets, { now, until }: Rotation): Secrets {
  const { previous: _, earlier: __, hmac, ...keys } = secrets;
  if (until <= now) return { ...keys, hmac: newSecret() };
  const previous = { hmac, until: until.toISOString() };
  return { ...keys, hmac: newSecret(), previous, earlier: toOutgoing(secrets, now) };
}

/** The same for the Ed25519 key. */
export function rotateKey(secrets: Secrets, { now, until }: Rotation): Secrets {
  const last = { ed25519: secrets.ed25519, until: until.toISOString() };
  const earlierKeys = until <= now ? [] : [last, ...toOutgoingKeys(secrets, now)];
  return { ...secrets, ed25519: newSeed(), earlierKeys };
}

/** Earlier secrets in force at a time, the newest first. */
export function toOutgoing({ previous, earlier = [] }: Secrets, at: Date): Outgoing[] {
  const all = previous ? [previous, ...earlier] : earlier;
  return all.filter(({ until }) => Date.parse(until) > at.getTime());
}

export function toOutgoingKeys({ earlierKeys = [] }: Secrets, at: Date): OutgoingKey[] {
  return earlierKeys.filter(({ until }) => Date.parse(until) > at.getTime());
}

function newSeed(): string {
  return randomBytes(SECRET_BYTES).toString("base64");
}

function newSecret(): string {
  return SECRET_PREFIX + randomBytes(SECRET_BYTES).toString("base64");
}

/** A seed's public key as Standard Webhooks writes it: `whpk_…`. */
export function toPublicKey(ed25519: string): string {
  const der = createPublicKey(toKey(ed25519)).export({ format: "der", type: "spki" });
  return PUBLIC_PREFIX + der.subarray(PUBLIC_HEAD_BYTES).toString("base64");
}

function toKey(seed: string): KeyObject {
  const key = Buffer.concat([privateHead, Buffer.from(seed, "base64")]);
  return createPrivateKey({ key, format: "der", type: "pkcs8" });
}

/** Signs one message; returns its headers. */
export type Sign = (message: { id: string; at: Date; body: Buffer }) => Record<string, string>;

/**
 * Opens signing for many messages. `webhook-signature` has an HMAC-SHA256 (`v1`) for each secret in force and an
 * Ed25519 signature (`v1a`) for each key, over `id.timestamp.body` (Standard Webhooks).
 */
export function openSigner(secrets: Secrets): Sign {
  const always = { until: Number.POSITIVE_INFINITY };
  const toMs = (until: string) => ({ until: Date.parse(until) });
  const webhooks = [
    { webhook: new Webhook(secrets.hmac), ...always },
    ...toOutgoing(secrets, new Date(0)).map(({ hmac, until }) => ({
      webhook: new Webhook(hmac),
      ...toMs(until),
    })),
  ];
  const keys = [
    { key: toKey(secrets.ed25519), ...always },
    ...toOutgoingKeys(secrets, new Date(0)).map(({ ed25519, until }) => ({
      key: toKey(ed25519),
      ...toMs(until),
    })),
  ];
  return ({ id, at, body }) => {
    const isInForce = ({ until }: { until: number }) => until > at.getTime();
    const seconds = Math.floor(at.getTime() / 1_000);
    const bytes = Buffer.concat([Buffer.from(`${id}.${seconds}.`), body]);
    const signatures = webhooks.filter(isInForce).map(({ webhook }) => webhook.sign(id, at, body));
    const asymmetric = keys
      .filter(isInForce)
      .map(({ key }) => `v1a,${signBytes(null, bytes, key).toString("base64")}`);
    return {
      "webhook-id": id,
      "webhook-timestamp": String(seconds),
      "webhook-signature": [...signatures, ...asymmetric].join(" "),
    };
  };
}

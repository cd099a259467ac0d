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
  /** The first of `earlier` in secrets that an older version sealed. */
  previous?: Outgoing;
  /** Each has its own end, the newest first. */
  earlier?: Outgoing[];
  /** The Ed25519 seed, 32 bytes in base64. */
  ed25519: string;
  earlierKeys?: OutgoingKey[];
}

const SECRET_BYTES = 32;
const SECRET_PREFIX = "whsec_";
const PUBLIC_PREFIX = "whpk_";
/** The end of a secret or key that was not rotated. */
const NEVER = "9999-12-31T23:59:59Z";
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
  const { previous: _, ...kept } = secrets;
  const last = { hmac: secrets.hmac, until: until.toISOString() };
  const earlier = until <= now ? [] : [last, ...toOutgoing(secrets, now)];
  return { ...kept, hmac: newSecret(), earlier };
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
  const { hmac, ed25519 } = secrets;
  const start = new Date(0);
  const hmacs = [{ hmac, until: NEVER }, ...toOutgoing(secrets, start)].map((one) => {
    const webhook = new Webhook(one.hmac);
    return { sign: webhook.sign.bind(webhook), until: Date.parse(one.until) };
  });
  const keys = [{ ed25519, until: NEVER }, ...toOutgoingKeys(secrets, start)].map((one) => {
    const key = toKey(one.ed25519);
    const sign = (bytes: Buffer) => `v1a,${signBytes(null, bytes, key).toString("base64")}`;
    return { sign, until: Date.parse(one.until) };
  });
  return ({ id, at, body }) => {
    const isInForce = ({ until }: { until: number }) => until > at.getTime();
    const seconds = String(Math.floor(at.getTime() / 1_000));
    const bytes = Buffer.concat([Buffer.from(`${id}.${seconds}.`), body]);
    const signatures = [
      ...hmacs.filter(isInForce).map(({ sign }) => sign(id, at, body)),
      ...keys.filter(isInForce).map(({ sign }) => sign(bytes)),
    ];
    return {
      "webhook-id": id,
      "webhook-timestamp": seconds,
      "webhook-signature": signatures.join(" "),
    };
  };
}

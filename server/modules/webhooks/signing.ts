import {
  type KeyObject,
  createPrivateKey,
  createPublicKey,
  randomBytes,
  sign as signBytes,
} from "node:crypto";
import { Webhook } from "standardwebhooks";

/** What a webhook's messages are signed with. */
export interface Secrets {
  /** As `whsec_…`. */
  hmac: string;
  /** The one before, which signs too until then (RFC 3339). */
  previous?: { hmac: string; until: string };
  /** The Ed25519 seed, 32 bytes in base64. */
  ed25519: string;
}

export interface SignedMessage {
  id: string;
  at: Date;
  body: string;
}

const SECRET_BYTES = 32;
const SECRET_PREFIX = "whsec_";
const PUBLIC_PREFIX = "whpk_";
/** What comes before the 32 bytes of a seed, and of a public key, in their ASN.1 forms (RFC 8410). */
const privateHead = Buffer.from("302e020100300506032b657004220420", "hex");
const PUBLIC_HEAD_BYTES = 12;

/** New secrets, from the system's random source. */
export function newSecrets(): Secrets {
  return { hmac: newSecret(), ed25519: randomBytes(SECRET_BYTES).toString("base64") };
}

/** A new secret; the one before goes on to sign until `until`. The Ed25519 key stays: nobody else has it. */
export function rotate({ hmac, ed25519 }: Secrets, until: Date): Secrets {
  return { hmac: newSecret(), previous: { hmac, until: until.toISOString() }, ed25519 };
}

function newSecret(): string {
  return SECRET_PREFIX + randomBytes(SECRET_BYTES).toString("base64");
}

/** The public key that Ed25519 signatures are checked with, as Standard Webhooks writes it: `whpk_…`. */
export function toPublicKey({ ed25519 }: Secrets): string {
  const der = createPublicKey(toKey(ed25519)).export({ format: "der", type: "spki" });
  return PUBLIC_PREFIX + der.subarray(PUBLIC_HEAD_BYTES).toString("base64");
}

function toKey(seed: string): KeyObject {
  const key = Buffer.concat([privateHead, Buffer.from(seed, "base64")]);
  return createPrivateKey({ key, format: "der", type: "pkcs8" });
}

/**
 * The headers of Standard Webhooks: `webhook-signature` has an HMAC-SHA256 (`v1`) for each secret in force
 * and an Ed25519 signature (`v1a`), all over `id.timestamp.body`.
 */
export function toSignedHeaders(
  secrets: Secrets,
  { id, at, body }: SignedMessage,
): Record<string, string> {
  const { hmac, previous, ed25519 } = secrets;
  const isOverlap = previous !== undefined && Date.parse(previous.until) > at.getTime();
  const keys = isOverlap ? [hmac, previous.hmac] : [hmac];
  const seconds = Math.floor(at.getTime() / 1_000);
  const bytes = Buffer.from(`${id}.${seconds}.${body}`);
  const asymmetric = signBytes(null, bytes, toKey(ed25519)).toString("base64");
  const signatures = keys.map((key) => new Webhook(key).sign(id, at, body));
  return {
    "webhook-id": id,
    "webhook-timestamp": String(seconds),
    "webhook-signature": [...signatures, `v1a,${asymmetric}`].join(" "),
  };
}

// C2SP tlog-cosignature, for Ed25519: https://c2sp.org/tlog-cosignature
import { type Bytes, toUtf8 } from "./bytes.ts";
import { SIGNATURE_BYTES, verifyEd25519 } from "./ed25519.ts";

const TIME_BYTES = 8;

/** The message that a witness signs: the time of the cosignature and the checkpoint's text. */
export function toCosignedMessage(time: number, text: string): string {
  return `cosignature/v1\ntime ${time}\n${text}`;
}

/**
 * Verifies a `timestamped_signature` over a checkpoint's text; returns its time in seconds since 1970. Undefined when the
 * signature is invalid, or the time is not a safe integer.
 */
export async function verifyCosignature(
  publicKey: Bytes,
  text: string,
  signature: Bytes,
): Promise<{ time: number } | undefined> {
  if (signature.length !== TIME_BYTES + SIGNATURE_BYTES) return undefined;
  const time = Number(new DataView(signature.buffer, signature.byteOffset).getBigUint64(0));
  if (!Number.isSafeInteger(time)) return undefined;
  const message = toUtf8(toCosignedMessage(time, text));
  const holds = await verifyEd25519(publicKey, message, signature.slice(TIME_BYTES));
  return holds ? { time } : undefined;
}

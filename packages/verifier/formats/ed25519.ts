import { type Bytes, concat } from "./bytes.ts";
import { FormatError } from "./errors.ts";

export const PUBLIC_KEY_BYTES = 32;
export const SIGNATURE_BYTES = 64;

/**
 * Whether the signature over the message is valid for the key (RFC 8032).
 * @throws FormatError when the browser does not support Ed25519
 */
export async function verifyEd25519(
  publicKey: Bytes,
  message: Bytes,
  signature: Uint8Array,
): Promise<boolean> {
  if (signature.length !== SIGNATURE_BYTES) return false;
  try {
    const key = await crypto.subtle.importKey("raw", publicKey, "Ed25519", false, ["verify"]);
    return await crypto.subtle.verify("Ed25519", key, concat(signature), message);
  } catch (error) {
    if (error instanceof Error && error.name === "NotSupportedError")
      throw new FormatError((say) => say.noEd25519);
    // The bytes are not a point of the curve, so no signature by this key is valid.
    return false;
  }
}

import { type Bytes, concat } from "./bytes.ts";
import { FormatError } from "./errors.ts";

export const PUBLIC_KEY_BYTES = 32;
export const SIGNATURE_BYTES = 64;

/**
 * Whether the signature is the key's over the message (RFC 8032).
 * @throws FormatError where the browser does not know Ed25519
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
    // Bytes that are no point of the curve: nothing was ever signed by such a key.
    return false;
  }
}

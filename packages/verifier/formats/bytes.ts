import { FormatError } from "./errors.ts";

export type Bytes = Uint8Array<ArrayBuffer>;

/** The length of SHA-256, and so of every hash, entry and root. */
export const HASH_BYTES = 32;

/** SHA-256 of the concatenated parts. */
export async function sha256(...parts: Uint8Array[]): Promise<Bytes> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", concat(...parts)));
}

export function concat(...parts: Uint8Array[]): Bytes {
  const bytes = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

export function areEqual(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, at) => byte === b[at]);
}

export function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

export function toBase64(bytes: Uint8Array): string {
  return btoa(Array.from(bytes, (byte) => String.fromCodePoint(byte)).join(""));
}

/**
 * Decodes base64 in its canonical form: with padding, and unused bits zero.
 * @throws FormatError, with `what` as the name of the value
 */
export function fromBase64(text: string, what: string): Bytes {
  if (!isBase64(text)) throw new FormatError((say) => say.base64(what));
  const bytes = Uint8Array.from(atob(text), (char) => char.codePointAt(0) ?? 0);
  if (toBase64(bytes) !== text) throw new FormatError((say) => say.base64(what));
  return bytes;
}

/**
 * RFC 4648, section 4: padded, without line breaks. It searches for a forbidden character, because a pattern with
 * repeated groups needs a stack as long as the text.
 */
function isBase64(text: string): boolean {
  return text.length % 4 === 0 && !/[^A-Za-z0-9+/]/.test(text.replace(/={1,2}$/, ""));
}

/** Decodes base64 of a known length; a longer text is rejected without decoding. */
export function fromBase64Of(length: number, text: string, what: string): Bytes {
  if (text.length > Math.ceil(length / 3) * 4) {
    const found = Math.floor(text.length / 4) * 3;
    throw new FormatError((say) => say.length(what, length, found));
  }
  const bytes = fromBase64(text, what);
  if (bytes.length === length) return bytes;
  throw new FormatError((say) => say.length(what, length, bytes.length));
}

/** @throws FormatError for a lone surrogate, which UTF-8 cannot encode */
export function toUtf8(text: string): Bytes {
  if (!text.isWellFormed()) throw new FormatError((say) => say.utf8);
  return concat(new TextEncoder().encode(text));
}

/** @throws FormatError unless the bytes are UTF-8 */
export function fromUtf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new FormatError((say) => say.utf8);
  }
}

/**
 * Parses a number of leaves or an index: ASCII decimal without leading zeros, and a safe integer.
 * @throws FormatError, with `what` as the name of the value
 */
export function parseSize(text: string, what: string): number {
  const size = /^(?:0|[1-9][0-9]*)$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isSafeInteger(size)) return size;
  throw new FormatError((say) => say.size(what));
}

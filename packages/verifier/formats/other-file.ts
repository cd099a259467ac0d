// Detects other files that people select instead of a bundle, so that the error explains what to do.
import { BUNDLE_FORMAT, RECEIPT_FORMAT } from "./bundle.ts";

/** The kind of a file that is not a bundle. */
export type OtherFile = "pdf" | "archive" | "jsonLd" | "pending" | "other";

/** Every bundle contains one of these format names. */
const formats = [BUNDLE_FORMAT, RECEIPT_FORMAT].map((format) => format.replace(/[0-9]+$/, ""));

/** The kind of a file that cannot be parsed as a bundle; undefined for a damaged bundle. */
export function toOtherFile(source: Uint8Array | string): OtherFile | undefined {
  // Latin-1 decodes any bytes, and only ASCII is searched for.
  const text = typeof source === "string" ? source : new TextDecoder("latin1").decode(source);
  if (text.startsWith("%PDF-")) return "pdf";
  if (text.startsWith("PK\u0003\u0004") || text.startsWith("PK\u0005\u0006")) return "archive";
  if (/^\s*\{\s*"@context"/u.test(text)) return "jsonLd";
  // The service's answer while it makes the file: a 202, which tools save like the file.
  if (/^\s*\{\s*"status"\s*:\s*"pending"/u.test(text)) return "pending";
  return formats.some((format) => text.includes(`"${format}`)) ? undefined : "other";
}

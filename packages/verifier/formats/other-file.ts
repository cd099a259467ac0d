// What people give in the place of a bundle, so that they are told what to do and not that a proof fails.
import { BUNDLE_FORMAT, RECEIPT_FORMAT } from "./bundle.ts";

/** A file that is no bundle: what it is instead. */
export type Stranger = "pdf" | "archive" | "jsonLd" | "other";

/** A text that has neither of these is none of ours. */
const formats = [BUNDLE_FORMAT, RECEIPT_FORMAT].map((format) => format.replace(/[0-9]+$/, ""));

/** What a file that cannot be read as a bundle is; undefined for a bundle that is damaged. */
export function toStranger(source: Uint8Array | string): Stranger | undefined {
  // A byte each: only what is ASCII is looked for.
  const text = typeof source === "string" ? source : new TextDecoder("latin1").decode(source);
  if (text.startsWith("%PDF-")) return "pdf";
  if (text.startsWith("PK\u0003\u0004") || text.startsWith("PK\u0005\u0006")) return "archive";
  if (/^\s*\{\s*"@context"/u.test(text)) return "jsonLd";
  return formats.some((format) => text.includes(`"${format}`)) ? undefined : "other";
}

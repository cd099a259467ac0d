import { assertEnd, broken } from "./reader.ts";

const NAME = "PDF";
const END = "%%EOF";
/** Ends of lines and spaces (ISO 32000-2, 7.2.3). */
const white = new Set([0x00, 0x09, 0x0a, 0x0c, 0x0d, 0x20]);

/** Checks that a PDF begins with its version and ends with its end marker, followed only by white space. */
export function checkPdf(bytes: Buffer): void {
  if (!/^%PDF-[12]\.\d/.test(bytes.toString("latin1", 0, 8))) throw broken(NAME);
  const mark = bytes.lastIndexOf(END);
  if (mark < 0 || bytes.indexOf("startxref") < 0) throw broken(NAME);
  let end = mark + END.length;
  for (let byte = bytes[end]; byte !== undefined && white.has(byte); byte = bytes[end]) end += 1;
  assertEnd(bytes, end, NAME);
}

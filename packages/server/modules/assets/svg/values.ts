import { allowedFunctions } from "./allowed.ts";

const AT_RULES = new Set(["media", "keyframes", "supports", "-webkit-keyframes"]);
const namePattern = /[-\w]/;

/**
 * Whether a text (an attribute's value, or CSS) cannot load anything: every function is on the list, `url()` contains only a
 * reference to a part of the same picture, and there are no escapes. Comments and strings are treated like any other text,
 * and unknown syntax is rejected.
 */
export function isHarmless(text: string): boolean {
  // An escape can spell any name (CSS Syntax 3, 4.3.7), and `<` could end the element.
  if (text.includes("\\") || text.includes("<")) return false;
  for (let at = text.indexOf("@"); at >= 0; at = text.indexOf("@", at + 1))
    if (!AT_RULES.has(readName(text, at + 1).toLowerCase())) return false;
  for (let at = text.indexOf("("); at >= 0; at = text.indexOf("(", at + 1)) {
    const name = readNameBefore(text, at).toLowerCase();
    if (name === "url" ? !isPart(text, at + 1) : name !== "" && !allowedFunctions.has(name))
      return false;
  }
  return true;
}

/** Whether an address refers to a part of the same picture. */
export function isPartName(text: string): boolean {
  return /^#[\p{L}\p{N}_.:-]{1,256}$/u.test(text.trim());
}

function isPart(text: string, start: number): boolean {
  const end = text.indexOf(")", start);
  if (end < 0) return false;
  const inner = text.slice(start, end).trim();
  const quote = inner[0];
  const isQuoted = (quote === '"' || quote === "'") && inner.length > 1 && inner.endsWith(quote);
  return isPartName(isQuoted ? inner.slice(1, -1) : inner);
}

function readName(text: string, start: number): string {
  let end = start;
  while (end < text.length && namePattern.test(text.charAt(end))) end += 1;
  return text.slice(start, end);
}

function readNameBefore(text: string, end: number): string {
  let start = end;
  while (start > 0 && namePattern.test(text.charAt(start - 1))) start -= 1;
  return text.slice(start, end);
}

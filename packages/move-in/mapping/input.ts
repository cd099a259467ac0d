import { type Script, parseScript } from "./javascript.ts";
import { type Plain, parsePlainJson } from "./plain.ts";
import type { Report } from "./report.ts";

/** A file to read, by its content. */
export interface SourceFile {
  /** The file's name or address, for the report. */
  name: string;
  text: string;
}

/** A parsed file: JSON or JavaScript. */
export interface Input {
  name: string;
  json?: Plain;
  script?: Script;
}

/** A page of the site: its scripts, and the addresses that it loads. */
export interface Page {
  html: string;
  url: string | undefined;
  inputs: Input[];
}

export const FILE_BYTES_MAX = 8 * 1024 * 1024;
const SCRIPTS_MAX = 200;

/** Whether a file is a page of HTML. */
export function isPage(text: string): boolean {
  return /^\s*(?:<!--[^>]{0,1000}-->\s*)?<(?:!doctype\s+html|html|head|body|script|meta|title|link)\b/i.test(
    text.slice(0, 4_000),
  );
}

/** Parses a file that is not a page. A file in another language is a line of the report. */
export function toInput({ name, text }: SourceFile, report: Report): Input | undefined {
  const json = findJson(text, report);
  if (json !== undefined) return { name, json };
  const script = parseScript(text);
  if (script) return { name, script };
  report.add("invalid", name, "The file is neither JSON nor JavaScript that can be parsed.");
  return undefined;
}

/** The inline scripts of a page, without those in another language. */
export function toPage({ name, text }: SourceFile, report: Report): Page {
  const inputs: Input[] = [];
  const pattern = /<script\b([^<>]*)>/gi;
  for (const match of text.matchAll(pattern)) {
    if (inputs.length >= SCRIPTS_MAX) break;
    const start = match.index + match[0].length;
    const end = text.indexOf("</script", start);
    const code = text.slice(start, end === -1 ? undefined : end);
    if (code.trim() === "" || /type\s*=\s*["']?application\/ld/i.test(match[1] ?? "")) continue;
    const json = /json/i.test(match[1] ?? "") ? findJson(code, report) : undefined;
    const script = json === undefined ? parseScript(code) : undefined;
    if (script) inputs.push({ name: `${name}, script ${inputs.length + 1}`, script });
  }
  return { html: text, url: /^https?:/.test(name) ? name : undefined, inputs };
}

function findJson(text: string, report: Report): Plain | undefined {
  const trimmed = text.replace(/^\uFEFF/, "").trimStart();
  if (!/^[[{]/.test(trimmed)) return undefined;
  try {
    return parsePlainJson(trimmed, report);
  } catch (error) {
    // A RangeError is the end of the stack: the text is nested too deeply.
    if (error instanceof SyntaxError || error instanceof RangeError) return undefined;
    throw error;
  }
}

import { type Script, parseScript } from "./javascript.ts";
import { type Plain, parsePlainJson } from "./plain.ts";
import type { Report } from "./report.ts";

/** A file to read, by its content. */
export interface SourceFile {
  /** The file's name or address, for the report. */
  name: string;
  text: string;
  /** The encoding that was assumed, because the file is not valid UTF-8. */
  encoding?: "windows-1252";
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
  inputs: (Input & { code: string })[];
}

export const FILE_BYTES_MAX = 8 * 1024 * 1024;
const SCRIPTS_MAX = 200;

/**
 * Decodes a file: UTF-8, UTF-16 with its byte order mark, and anything else as Windows-1252, which contains Latin-1
 * (https://encoding.spec.whatwg.org/#names-and-labels).
 */
export function toSourceFile(name: string, bytes: Uint8Array): SourceFile {
  const [first, second] = bytes;
  const isLittleEndian = first === 0xff && second === 0xfe;
  if (isLittleEndian || (first === 0xfe && second === 0xff)) {
    const decoder = new TextDecoder(isLittleEndian ? "utf-16le" : "utf-16be");
    return { name, text: decoder.decode(bytes) };
  }
  try {
    return { name, text: new TextDecoder("utf-8", { fatal: true }).decode(bytes) };
  } catch {
    const text = new TextDecoder("windows-1252").decode(bytes);
    return { name, text, encoding: "windows-1252" };
  }
}

/** Adds a line for a file whose encoding was assumed. */
export function reportEncoding({ name, encoding }: SourceFile, report: Report): void {
  if (encoding !== undefined)
    report.add(
      "decide",
      name,
      "The file is not valid UTF-8 and was read as Windows-1252 (Latin-1). Check letters with accents.",
    );
}

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
  if (script) {
    reportLongScript(script, name, report);
    return { name, script };
  }
  report.add("invalid", name, "The file is neither JSON nor JavaScript that can be parsed.");
  return undefined;
}

/** The inline scripts of a page, without those in another language. */
export function toPage({ name, text }: SourceFile, report: Report): Page {
  const inputs: Page["inputs"] = [];
  const pattern = /<script\b([^<>]*)>/gi;
  for (const match of text.matchAll(pattern)) {
    if (inputs.length >= SCRIPTS_MAX) {
      report.add("not mapped", name, `Only ${SCRIPTS_MAX} inline scripts of a page are read.`);
      break;
    }
    const start = match.index + match[0].length;
    const end = text.indexOf("</script", start);
    const code = text.slice(start, end === -1 ? undefined : end);
    if (code.trim() === "" || /type\s*=\s*["']?application\/ld/i.test(match[1] ?? "")) continue;
    const json = /json/i.test(match[1] ?? "") ? findJson(code, report) : undefined;
    const script = json === undefined ? parseScript(code) : undefined;
    if (!script) continue;
    const input = { name: `${name}, script ${inputs.length + 1}`, script, code };
    reportLongScript(script, input.name, report);
    inputs.push(input);
  }
  return { html: text, url: /^https?:/.test(name) ? name : undefined, inputs };
}

function reportLongScript({ isCut }: Script, name: string, report: Report): void {
  if (isCut) report.add("not mapped", name, "The script is too long. Only its start was read.");
}

/** The language that a page declares. */
export function findLanguage({ html }: Page): string | undefined {
  return /<html\b[^<>]*?\slang\s*=\s*["']?([A-Za-z-]{2,35})/i.exec(html)?.[1];
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

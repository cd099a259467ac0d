import {
  XmlCdata,
  type XmlDocument,
  XmlElement,
  XmlError,
  XmlText,
  parseXml,
} from "@rgrove/parse-xml";
import { RefusedError, type Warning } from "../formats/tasks.ts";
import { toUnknown } from "../formats/detect.ts";
import { allowedAttributes, allowedElements } from "./allowed.ts";
import { assertCopies } from "./copies.ts";
import { isHarmless, isPartName } from "./values.ts";

const NAMESPACE = "http://www.w3.org/2000/svg";
const XLINK = "http://www.w3.org/1999/xlink";
const WARNINGS_MAX = 50;

/** A safe SVG, with warnings about removed content. */
export interface Sanitized {
  text: string;
  warnings: Warning[];
}

/**
 * Rebuilds an SVG with only allowed elements, attributes and values: no script, event handler, foreign language, document
 * type, processing instruction or address. A strict parser that supports only XML's own entities rejects anything that is
 * not well-formed.
 * @throws RefusedError
 */
export function sanitizeSvg(bytes: Buffer): Sanitized {
  const source = decode(bytes);
  const document = parse(source);
  const { root } = document;
  if (root?.name !== "svg" || root.attributes["xmlns"] !== NAMESPACE) {
    if (root && /(^|:)svg$/.test(root.name))
      throw toRefusal(`its root is not <svg xmlns="${NAMESPACE}">`);
    throw toUnknown();
  }
  const taken = new Map<string, Warning>();
  const take: Take = (path, what) => {
    if (taken.has(what) || taken.size >= WARNINGS_MAX) return;
    taken.set(what, { path, message: `${what} was removed.` });
  };
  if (/<!DOCTYPE/.test(source)) take("/", "The document type");
  try {
    const text = writeElement(root, "", take);
    // Checks the rebuilt picture, because it is the one that is shown.
    const written = parse(text).root;
    if (written) assertCopies(written);
    return { text: `${text}\n`, warnings: [...taken.values()] };
  } catch (error) {
    throw toNested(error);
  }
}

type Take = (path: string, what: string) => void;

function decode(bytes: Buffer): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw isMeantAsSvg(bytes.toString("latin1")) ? toRefusal("it is not in UTF-8") : toUnknown();
  }
}

function parse(text: string): XmlDocument {
  try {
    return parseXml(text);
  } catch (error) {
    if (error instanceof XmlError && !isMeantAsSvg(text)) throw toUnknown();
    if (error instanceof XmlError) throw toRefusal(error.message.split("\n", 1)[0] ?? "");
    throw toNested(error);
  }
}

/** Whether a text contains an <svg> tag; any other markup is not treated as a broken SVG. */
function isMeantAsSvg(text: string): boolean {
  return text.slice(0, 4_096).includes("<svg");
}

/** Parsing and rebuilding are recursive. A stack overflow means that the picture is nested too deeply. */
function toNested(error: unknown): unknown {
  return error instanceof RangeError ? toRefusal("its elements are nested too deeply") : error;
}

function toRefusal(why: string): RefusedError {
  return new RefusedError("impossible", `The SVG cannot be read: ${why.slice(0, 300)}.`);
}

function writeElement(element: XmlElement, above: string, take: Take): string {
  const { name } = element;
  const path = `${above}/${name}`;
  if (!allowedElements.has(name)) {
    take(path, `The element ${quote(name)}`);
    return "";
  }
  const text = element.children.map((child) => writeChild(child, path, take)).join("");
  if (name === "style" && !isHarmless(element.text)) {
    take(path, "A style that could load something");
    return "";
  }
  if (isAnimation(name) && !isHarmlessTarget(element)) {
    take(path, "An animation of an attribute that is not allowed");
    return "";
  }
  const attributes = writeAttributes(element, path, take);
  return text === "" ? `<${name}${attributes}/>` : `<${name}${attributes}>${text}</${name}>`;
}

function writeChild(child: XmlElement["children"][number], path: string, take: Take): string {
  if (child instanceof XmlElement) return writeElement(child, path, take);
  if (child instanceof XmlText || child instanceof XmlCdata) return escapeText(child.text);
  return "";
}

function writeAttributes(element: XmlElement, path: string, take: Take): string {
  const isRoot = path === "/svg";
  const own = isRoot ? ` xmlns="${NAMESPACE}" xmlns:xlink="${XLINK}"` : "";
  const kept = Object.entries(element.attributes).flatMap(([name, value]) => {
    if (name === "xmlns" || name.startsWith("xmlns:")) return [];
    const isKept = allowedAttributes.has(name) && isHarmlessValue(name, value);
    if (!isKept) take(`${path}/@${name}`, `The attribute ${quote(name)} of ${quote(element.name)}`);
    return isKept ? [` ${name}="${escapeValue(value)}"`] : [];
  });
  return own + kept.join("");
}

function isHarmlessValue(name: string, value: string): boolean {
  return name === "href" || name === "xlink:href" ? isPartName(value) : isHarmless(value);
}

function isAnimation(name: string): boolean {
  return name === "set" || name.startsWith("animate");
}

/** Whether an animation changes only drawing attributes, and no address. */
function isHarmlessTarget({ name, attributes }: XmlElement): boolean {
  const target = attributes["attributeName"];
  if (target === undefined) return name === "animateMotion";
  return allowedAttributes.has(target) && !/href|style|^class$|^id$/i.test(target);
}

function quote(name: string): string {
  return `“${name.slice(0, 60)}”`;
}

function escapeText(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll("\r", "&#13;");
}

/** Escapes an attribute's value; parsers would convert line breaks and tabs to spaces. */
function escapeValue(text: string): string {
  return escapeText(text)
    .replaceAll('"', "&quot;")
    .replaceAll("\n", "&#10;")
    .replaceAll("\t", "&#9;");
}

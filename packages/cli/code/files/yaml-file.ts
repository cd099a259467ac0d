import { type JsonObject, isObject } from "@avow/contract/json";
import { Document, LineCounter, isMap, isNode, isSeq, parseDocument, visit } from "yaml";
import type { FileFault } from "./faults.ts";
import { findNoJson, toKeys } from "./json-values.ts";
import { isDeepStrictEqual } from "node:util";

/** The values of a file, and where they are. */
export interface ReadFile {
  value: JsonObject;
  /** The position of the value at a JSON pointer, or of the nearest object that contains it. */
  locate: (pointer: string) => Pick<FileFault, "line" | "column">;
}

type YamlTree = Document.Parsed;

/** Parses a file of one YAML 1.2 document with an object. */
export function parseYaml(path: string, text: string): ReadFile | FileFault[] {
  const lines = new LineCounter();
  const at = (offset: number) => {
    const { line, col } = lines.linePos(offset);
    return { line, column: col };
  };
  let document: YamlTree;
  try {
    document = parse(text, lines);
  } catch (error) {
    // The parser is recursive.
    if (error instanceof RangeError) return [{ file: path, message: "is nested too deeply." }];
    throw error;
  }
  // A warning is an unknown tag, which would change what the file means to other programs.
  const problems = [...document.errors, ...document.warnings];
  const faults = problems.map(({ pos, message }) => ({ file: path, ...at(pos[0]), message }));
  visit(document, {
    Alias: (_, node) => {
      const message = "Aliases are not supported. Repeat the value.";
      faults.push({ file: path, ...at(node.range?.[0] ?? 0), message });
    },
  });
  if (faults.length > 0) return faults;
  const locate = (pointer: string) => at(findOffset(document, toKeys(pointer)));
  const value: unknown = document.toJS({ maxAliasCount: 0 });
  if (!isObject(value))
    return [{ file: path, line: 1, column: 1, message: "must contain an object." }];
  const wrong = findNoJson(value);
  if (wrong)
    return [
      { file: path, ...locate(wrong.pointer), message: `${wrong.pointer} ${wrong.message}.` },
    ];
  return { value, locate };
}

function parse(text: string, lineCounter?: LineCounter): YamlTree {
  return parseDocument(text, {
    version: "1.2",
    schema: "core",
    stringKeys: true,
    uniqueKeys: true,
    prettyErrors: false,
    ...(lineCounter ? { lineCounter } : {}),
  });
}

/** The offset of a value: of its name in an object, of the value itself in a list. */
function findOffset(document: YamlTree, keys: readonly string[]): number {
  let node: unknown = document.contents;
  let offset = document.contents?.range[0] ?? 0;
  for (const key of keys) {
    if (isMap(node)) {
      const pair = node.items.find((one) => isNode(one.key) && String(one.key) === key);
      if (!pair) break;
      if (isNode(pair.key)) offset = pair.key.range?.[0] ?? offset;
      node = pair.value;
    } else if (isSeq(node)) {
      node = node.items[Number(key)];
      if (!isNode(node)) break;
      offset = node.range?.[0] ?? offset;
    } else break;
  }
  return offset;
}

const written = { lineWidth: 0, indentSeq: true } as const;

export function toYaml(value: JsonObject): string {
  return new Document(value, { version: "1.2" }).toString(written);
}

/** A file's text with another value. Comments and the style of what stays equal are kept. */
export function rewriteYaml(text: string, value: JsonObject): string {
  const document = parse(text);
  if (document.errors.length > 0 || !isMap(document.contents)) return toYaml(value);
  merge(document, [], value);
  return document.toString(written);
}

function merge(document: YamlTree, path: (string | number)[], value: unknown): void {
  const node: unknown = path.length === 0 ? document.contents : document.getIn(path, true);
  const present: unknown = isNode(node) ? node.toJS(document) : undefined;
  if (isDeepStrictEqual(present, value)) return;
  if (isMap(node) && isObject(value)) {
    for (const key of Object.keys(present as JsonObject))
      if (!Object.hasOwn(value, key)) document.deleteIn([...path, key]);
    for (const [key, inner] of Object.entries(value)) merge(document, [...path, key], inner);
  } else if (isSeq(node) && Array.isArray(value) && node.items.length === value.length)
    value.forEach((inner, at) => merge(document, [...path, at], inner));
  else document.setIn(path, document.createNode(value));
}

import type { FieldFault } from "../errors.ts";

export interface WellformedLimits {
  depthMax?: number;
  nodesMax?: number;
  faultsMax?: number;
}

interface Frame {
  path: string;
  entries: Iterator<[string, unknown]>;
}

const pointerLengthMax = 256;
const DEPTH_MAX = 64;
const NODES_MAX = 100_000;

/** Whether `findMalformed` finds nothing. It allocates nothing, since it is called for every request. */
export function isWellformed(value: unknown): boolean {
  return countNodes(value, DEPTH_MAX) <= NODES_MAX;
}

/**
 * Finds values in parsed JSON that PostgreSQL's jsonb or JSON itself cannot store: NUL characters and lone surrogates
 * in strings and keys, numbers that overflowed to infinity, and values beyond the limits of depth and nodes.
 * Returns at most `faultsMax` faults in document order. Walks iteratively and never below `depthMax`, so deeper
 * nesting costs nothing. A depth of 64 is 64 nested arrays and objects.
 */
export function findMalformed(value: unknown, limits: WellformedLimits = {}): FieldFault[] {
  const { depthMax = DEPTH_MAX, nodesMax = NODES_MAX, faultsMax = 100 } = limits;
  if (countNodes(value, depthMax) <= nodesMax) return [];
  const faults: FieldFault[] = [];
  const frames: Frame[] = [];
  let nodes = 0;

  const visit = (path: string, node: unknown): void => {
    const message = toScalarFault(node);
    if (message !== undefined) faults.push({ path, message });
    if (typeof node !== "object" || node === null) return;
    if (frames.length < depthMax) frames.push({ path, entries: iterateEntries(node) });
    else faults.push({ path, message: `is nested deeper than ${depthMax} levels` });
  };

  visit("", value);
  for (let frame = frames.at(-1); frame !== undefined; frame = frames.at(-1)) {
    const entry = frame.entries.next();
    if (entry.done) {
      frames.pop();
      continue;
    }
    const [key, child] = entry.value;
    const path = toChildPointer(frame.path, key);
    nodes += 1;
    if (nodes > nodesMax) faults.push({ path, message: `exceeds the limit of ${nodesMax} values` });
    else {
      const message = toStringFault(key);
      if (message !== undefined) faults.push({ path, message: `has a name that ${message}` });
      visit(path, child);
    }
    if (nodes > nodesMax || faults.length >= faultsMax) return faults.slice(0, faultsMax);
  }
  return faults;
}

/**
 * Counts the values in a well-formed value; Infinity for a malformed or too deep one. A fast path without pointers
 * and frames, since nearly every value is well-formed. Too many values are counted to the end, which the limit
 * of a body's size keeps short.
 */
function countNodes(node: unknown, depthLeft: number): number {
  if (typeof node === "string") return isSoundString(node) ? 0 : Infinity;
  if (typeof node === "number") return Number.isFinite(node) ? 0 : Infinity;
  if (typeof node !== "object" || node === null) return 0;
  if (depthLeft === 0) return Infinity;
  let nodes = 0;
  if (Array.isArray(node)) {
    nodes = node.length;
    for (let index = 0; index < node.length && nodes < Infinity; index += 1)
      nodes += countNodes(node[index], depthLeft - 1);
    return nodes;
  }
  for (const key in node) {
    if (!Object.hasOwn(node, key)) continue;
    if (!isSoundString(key)) return Infinity;
    nodes += 1 + countNodes((node as Record<string, unknown>)[key], depthLeft - 1);
    if (nodes === Infinity) return nodes;
  }
  return nodes;
}

function isSoundString(text: string): boolean {
  return text.isWellFormed() && !text.includes("\0");
}

function* iterateEntries(node: object): Generator<[string, unknown], undefined> {
  if (Array.isArray(node)) {
    for (let index = 0; index < node.length; index += 1) yield [String(index), node[index]];
    return;
  }
  // Not Object.entries, which would first create a list of up to a million entries.
  for (const key in node) {
    if (Object.hasOwn(node, key)) yield [key, (node as Record<string, unknown>)[key]];
  }
}

function toScalarFault(node: unknown): string | undefined {
  if (typeof node === "string") return toStringFault(node);
  if (typeof node === "number" && !Number.isFinite(node)) return "is a number out of range";
  return undefined;
}

function toStringFault(text: string): string | undefined {
  if (text.includes("\0")) return "contains a NUL character";
  if (!text.isWellFormed()) return "contains half of a surrogate pair";
  return undefined;
}

/**
 * Returns a child's RFC 6901 pointer, limited in length and well-formed, since it is returned in JSON. A pointer at
 * the limit stays the same for all its children.
 */
export function toChildPointer(parent: string, key: string): string {
  if (parent.endsWith("…")) return parent;
  const token = key.slice(0, pointerLengthMax).replaceAll("~", "~0").replaceAll("/", "~1");
  const pointer = `${parent}/${token}`.toWellFormed().replaceAll("\0", "\uFFFD");
  if (pointer.length <= pointerLengthMax && key.length <= pointerLengthMax) return pointer;
  return `${pointer.slice(0, pointerLengthMax - 1).toWellFormed()}…`;
}

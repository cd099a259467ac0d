import { type JsonObject, isObject } from "@avow/contract/json";
import { type Doc, toOwn } from "./documents.ts";

/** The merge patch (RFC 7396) from `before` to `after`; undefined if nothing differs. */
export function toMergePatch(before: JsonObject, after: JsonObject): JsonObject | undefined {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  const changes = [...names].flatMap((name): [string, unknown][] => {
    const [from, to] = [before[name], after[name]];
    if (isSame(from, to)) return [];
    if (isObject(from) && isObject(to)) return [[name, toMergePatch(from, to)]];
    return [[name, to ?? null]];
  });
  return changes.length > 0 ? Object.fromEntries(changes) : undefined;
}

/** Whether two values are the same JSON, regardless of the order of members. */
function isSame(a: unknown, b: unknown): boolean {
  return toText(a) === toText(b);
}

function toText(value: unknown): string | undefined {
  return JSON.stringify(value, (_, inner: unknown) =>
    isObject(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([x], [y]) => (x < y ? -1 : 1)))
      : inner,
  );
}

/** A difference between two versions. Steps are matched by name, also after a move. */
export interface Difference {
  /** The path of field names; for a step: `steps`, its name and its field. */
  keys: readonly string[];
  mine: unknown;
  theirs: unknown;
  /** Whether the draft changed it since the common base version. */
  isMine: boolean;
}

/** The changes of `theirs` since `base` that `mine` does not have. */
export function listDifferences(base: Doc, mine: Doc, theirs: Doc): Difference[] {
  const [from, own, other] = [flatten(base), flatten(mine), flatten(theirs)];
  return [...new Set([...own.keys(), ...other.keys(), ...from.keys()])].flatMap((key) => {
    const [was, is, will] = [from.get(key), own.get(key), other.get(key)];
    if (isSame(was, will) || isSame(is, will)) return [];
    return [{ keys: toPath(key), mine: is, theirs: will, isMine: !isSame(was, is) }];
  });
}

/** `mine` with the values of `theirs` for the differences in `taken`. */
export function takeTheirs(mine: Doc, theirs: Doc, taken: readonly Difference[]): Doc {
  const flat = flatten(mine);
  for (const { keys, theirs: value } of taken) {
    if (value === undefined) flat.delete(JSON.stringify(keys));
    else flat.set(JSON.stringify(keys), value);
  }
  // A step that only `theirs` has is added as a whole.
  const known = new Set((stepsOf(mine) ?? []).map(nameOf));
  for (const [key, value] of flatten(theirs)) {
    const [field, name = ""] = toPath(key);
    if (field === "steps" && name !== "" && !known.has(name)) flat.set(key, value);
  }
  return unflatten(flat, mine);
}

type Flat = Map<string, unknown>;

function toPath(key: string): string[] {
  return JSON.parse(key) as string[];
}

function stepsOf(doc: Doc): readonly JsonObject[] | undefined {
  return Array.isArray(doc["steps"]) ? (doc["steps"] as JsonObject[]) : undefined;
}

function nameOf({ name }: JsonObject): string {
  return String(name);
}

function flatten(doc: Doc): Flat {
  const flat: Flat = new Map();
  const put = (keys: string[], value: unknown): void => {
    flat.set(JSON.stringify(keys), value);
  };
  for (const [name, value] of Object.entries(toOwn(doc)))
    if (isObject(value)) for (const [key, one] of Object.entries(value)) put([name, key], one);
    else if (name !== "steps") put([name], value);
  const steps = stepsOf(doc) ?? [];
  if (steps.length > 0) put(["steps"], steps.map(nameOf));
  for (const step of steps)
    for (const [field, value] of Object.entries(step)) put(["steps", nameOf(step), field], value);
  return flat;
}

function unflatten(flat: Flat, { id }: Doc): Doc {
  const made: Record<string, unknown> & { id: string } = { id };
  const order = (flat.get('["steps"]') ?? []) as string[];
  const steps = new Map(order.map((name) => [name, {} as JsonObject]));
  for (const [key, value] of flat) {
    const [name = "", second, third] = toPath(key);
    if (third !== undefined) Object.assign(steps.get(second ?? "") ?? {}, { [third]: value });
    else if (second !== undefined)
      made[name] = { ...(made[name] as JsonObject | undefined), [second]: value };
    else if (name !== "steps") made[name] = value;
  }
  return steps.size > 0 ? { ...made, steps: [...steps.values()] } : made;
}

// Walks values by the schemas of files. A schema of the service is open: it keeps fields that it does not know. In files
// these are under `own`, in each object, so that a misspelt name is an error.
import { isObject } from "@avow/contract/json";
import type { TSchema } from "typebox";
import { Value } from "typebox/value";
import { toToken } from "./json-values.ts";

const OWN = "own";

/** The parts of a JSON schema that a walk needs. */
interface Shape {
  type?: string;
  properties?: Readonly<Record<string, TSchema>>;
  required?: readonly string[];
  patternProperties?: Readonly<Record<string, TSchema>>;
  items?: TSchema;
  anyOf?: readonly TSchema[];
  description?: string;
}

interface FieldFault {
  pointer: string;
  message: string;
}

/** Moves fields that the schema does not know under `own`. */
export function toFileValue(schema: TSchema, value: unknown): unknown {
  return walk(schema, value, (properties, entries) => {
    const known = entries.filter(([name]) => Object.hasOwn(properties, name));
    const own = entries.filter(([name]) => !Object.hasOwn(properties, name));
    return own.length === 0 ? known : [...known, [OWN, Object.fromEntries(own)]];
  });
}

/** Moves fields under `own` to where the service stores them. */
export function toStoredValue(schema: TSchema, value: unknown): unknown {
  return walk(schema, value, (properties, entries) =>
    entries.flatMap(([name, inner]): [string, unknown][] =>
      name === OWN && !Object.hasOwn(properties, OWN) && isObject(inner)
        ? Object.entries(inner)
        : [[name, inner]],
    ),
  );
}

/** Every error of a file's value: unknown, missing and wrong fields. */
export function findFieldFaults(schema: TSchema, value: unknown, pointer = ""): FieldFault[] {
  const chosen = choose(schema, value);
  const { properties, required = [], patternProperties, items } = shapeOf(chosen);
  const inside: FieldFault[] = [];
  if (properties && isObject(value)) {
    for (const name of required)
      if (!Object.hasOwn(value, name))
        inside.push({ pointer, message: `The field \`${name}\` is missing.` });
    for (const [name, inner] of Object.entries(value)) {
      const here = `${pointer}/${toToken(name)}`;
      const known = Object.hasOwn(properties, name) ? properties[name] : undefined;
      if (known) inside.push(...findFieldFaults(known, inner, here));
      else if (name === OWN) inside.push(...findOwnFaults(properties, inner, here));
      else inside.push({ pointer: here, message: describeUnknown(name, Object.keys(properties)) });
    }
  } else if (patternProperties && isObject(value)) {
    const [each] = Object.values(patternProperties);
    for (const [name, inner] of Object.entries(value))
      if (each) inside.push(...findFieldFaults(each, inner, `${pointer}/${toToken(name)}`));
  } else if (items && Array.isArray(value))
    value.forEach((inner, at) => inside.push(...findFieldFaults(items, inner, `${pointer}/${at}`)));
  return [...findOuterFaults(chosen, value, pointer), ...inside];
}

/** Errors of a value itself, apart from those inside of it. */
function findOuterFaults(schema: TSchema, value: unknown, pointer: string): FieldFault[] {
  const error = Value.Errors(schema, value).find(
    ({ instancePath, keyword }) => instancePath === "" && keyword !== "required",
  );
  if (!error) return [];
  const { description } = shapeOf(schema);
  const { allowedValues } = error.params as { allowedValues?: readonly unknown[] };
  const message =
    allowedValues !== undefined
      ? `must be one of ${allowedValues.join(", ")}`
      : error.keyword === "pattern" && description !== undefined
        ? `must be ${description}`
        : error.keyword === "anyOf"
          ? "has the wrong type"
          : error.message;
  return [{ pointer, message: `${pointer || "/"} ${message}.` }];
}

function findOwnFaults(
  properties: Readonly<Record<string, TSchema>>,
  value: unknown,
  pointer: string,
): FieldFault[] {
  if (!isObject(value))
    return [{ pointer, message: `${pointer} must be an object with fields of your own.` }];
  return Object.keys(value)
    .filter((name) => Object.hasOwn(properties, name))
    .map((name) => ({
      pointer: `${pointer}/${toToken(name)}`,
      message: `\`${name}\` is a field of Avow. Move it out of \`own\`.`,
    }));
}

function describeUnknown(name: string, known: readonly string[]): string {
  const near = known.find((one) => isNear(one.toLowerCase(), name.toLowerCase()));
  const advice =
    near === undefined ? "Fields of your own belong under `own`." : `Did you mean \`${near}\`?`;
  return `Unknown field \`${name}\`. ${advice}`;
}

/** Whether two names differ by one letter: added, removed, replaced, or exchanged with the next. */
function isNear(a: string, b: string): boolean {
  const [short, long] = a.length <= b.length ? [a, b] : [b, a];
  if (long.length - short.length > 1) return false;
  let start = 0;
  while (start < short.length && short[start] === long[start]) start += 1;
  if (long.length > short.length) return short.slice(start) === long.slice(start + 1);
  if (short.slice(start + 1) === long.slice(start + 1)) return true;
  return (
    short[start] === long[start + 1] &&
    short[start + 1] === long[start] &&
    short.slice(start + 2) === long.slice(start + 2)
  );
}

type Entries = [string, unknown][];

function walk(
  schema: TSchema,
  value: unknown,
  arrange: (properties: Readonly<Record<string, TSchema>>, entries: Entries) => Entries,
): unknown {
  const { properties, patternProperties, items } = shapeOf(choose(schema, value));
  if (items && Array.isArray(value)) return value.map((inner) => walk(items, inner, arrange));
  if (!isObject(value)) return value;
  const [each] = Object.values(patternProperties ?? {});
  const entries = Object.entries(value).map(([name, inner]): [string, unknown] => {
    const known =
      properties && Object.hasOwn(properties, name)
        ? properties[name]
        : properties
          ? undefined
          : each;
    return [name, known ? walk(known, inner, arrange) : inner];
  });
  return Object.fromEntries(properties ? arrange(properties, entries) : entries);
}

/** The branch of a union that a value is closest to: of its type, with the fewest errors. */
function choose(schema: TSchema, value: unknown): TSchema {
  const { anyOf } = shapeOf(schema);
  if (!anyOf) return schema;
  const ofType = anyOf.filter((branch) => isOfType(shapeOf(branch).type, value));
  const [only, ...others] = ofType.length > 0 ? ofType : [];
  if (!only) return schema;
  let best = { schema: only, count: others.length > 0 ? countErrors(only, value) : 0 };
  for (const branch of others) {
    const count = countErrors(branch, value);
    if (count < best.count) best = { schema: branch, count };
  }
  return choose(best.schema, value);
}

function countErrors(schema: TSchema, value: unknown): number {
  return Value.Errors(schema, value).length;
}

function isOfType(type: string | undefined, value: unknown): boolean {
  switch (type) {
    case undefined:
      return true;
    case "object":
      return isObject(value);
    case "array":
      return Array.isArray(value);
    case "integer":
      return typeof value === "number";
    case "null":
      return value === null;
    default:
      return typeof value === type;
  }
}

function shapeOf(schema: TSchema): Shape {
  return schema;
}

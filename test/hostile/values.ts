import * as fc from "fast-check";
import { anyCharacter } from "../any-character.ts";
import { type Schema, isRecord, isUnknown, restOf, typesOf } from "./schema.ts";

/** Arbitraries by property name, which replace what the schema alone would generate. */
export type KnownValues = Readonly<Record<string, fc.Arbitrary<unknown>>>;

const idPattern = "^[0-9a-f]{24}$";
const itemsMax = 3;
const lengthMax = 40;

/** Text as people and programs send it: every plane of Unicode, no NUL and no lone surrogate. */
const text = fc.oneof(
  { weight: 3, arbitrary: fc.string({ unit: "grapheme-ascii", maxLength: lengthMax }) },
  { weight: 1, arbitrary: fc.string({ unit: "grapheme", maxLength: lengthMax }) },
  { weight: 1, arbitrary: fc.string({ unit: anyCharacter, maxLength: lengthMax }) },
);
const valid = text.map((s) => s.toWellFormed().replaceAll("\0", ""));

/** Any JSON, small, of valid texts. */
const anyJson: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.constantFrom<unknown>(null, true, false, 0, -1.5, 1e300, ""),
    valid,
    fc.array(tie("value"), { maxLength: itemsMax }),
    fc.dictionary(keyArbitrary(), tie("value"), { maxKeys: itemsMax }),
  ),
})).value;

function keyArbitrary(): fc.Arbitrary<string> {
  return valid.filter((key) => key !== "__proto__" && key !== "constructor");
}

/**
 * Values that are valid for a schema. Values that no schema can express (ids of projects) come from `known`,
 * by the name of the property.
 */
export function valuesOf(schema: Schema, known: KnownValues = {}): fc.Arbitrary<unknown> {
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  const branches = schema.anyOf ?? schema.oneOf;
  if (branches)
    return fc.oneof(...branches.map((branch) => valuesOf(merged(schema, branch), known)));
  if (isUnknown(schema)) return anyJson;
  const types = typesOf(schema);
  return types.length === 0
    ? anyJson
    : fc.oneof(...types.map((type) => valuesOfType(type, schema, known)));
}

/** A branch of a union, with the keywords of the schema around it. */
function merged(schema: Schema, branch: Schema): Schema {
  const { anyOf: _any, oneOf: _one, ...around } = schema;
  const required = [...(around.required ?? []), ...(branch.required ?? [])];
  return { ...around, ...branch, ...(required.length > 0 ? { required } : {}) };
}

function valuesOfType(type: string, schema: Schema, known: KnownValues): fc.Arbitrary<unknown> {
  switch (type) {
    case "object":
      return objectsOf(schema, known);
    case "array":
      return arraysOf(schema, known);
    case "string":
      return stringsOf(schema, known);
    case "integer":
      return fc.integer(integerBounds(schema));
    case "number":
      return numbersOf(schema);
    case "boolean":
      return fc.boolean();
    case "null":
      return fc.constant(null);
    default:
      throw new Error(`no values for the type ${type}: add it to test/hostile/values.ts`);
  }
}

function objectsOf(schema: Schema, known: KnownValues): fc.Arbitrary<unknown> {
  const properties = schema.properties ?? {};
  const named = Object.fromEntries(
    Object.entries(properties).map(([name, property]) => {
      return [name, known[name] ?? valuesOf(property, known)];
    }),
  );
  const requiredKeys = (schema.required ?? []).filter((name) => name in named);
  const own = fc.record(named, { requiredKeys, noNullPrototype: true });
  const rest = restOf(schema);
  if (rest === undefined) return own;
  const keys = schema.propertyNames ? stringsOf(schema.propertyNames, known) : keyArbitrary();
  const extra = fc.dictionary(keys, valuesOf(rest, known), {
    maxKeys: Math.min(schema.maxProperties ?? itemsMax, itemsMax),
    noNullPrototype: true,
  });
  return fc.tuple(own, extra).map(([value, more]) => ({
    // Properties that the schema names or `known` has are always generated.
    ...Object.fromEntries(
      Object.entries(more).filter(([name]) => !(name in properties) && !(name in known)),
    ),
    ...(value as object),
  }));
}

function arraysOf(schema: Schema, known: KnownValues): fc.Arbitrary<unknown> {
  const item = valuesOf(schema.items ?? {}, known);
  const minLength = schema.minItems ?? 0;
  const maxLength = Math.min(schema.maxItems ?? itemsMax, Math.max(minLength, itemsMax));
  return schema.uniqueItems
    ? fc.uniqueArray(item, { minLength, maxLength, selector: (value) => JSON.stringify(value) })
    : fc.array(item, { minLength, maxLength });
}

function stringsOf(schema: Schema, known: KnownValues): fc.Arbitrary<string> {
  const { pattern, format, minLength = 0, maxLength = Infinity } = schema;
  if (pattern === idPattern && known["id"]) return known["id"] as fc.Arbitrary<string>;
  const fits = (value: string): boolean =>
    Array.from(value).length >= minLength && Array.from(value).length <= maxLength;
  const dates = fc.date({ min: new Date(0), max: new Date("2100-01-01"), noInvalidDate: true });
  const times = dates.map((date) => date.toISOString());
  if (format === "instant")
    return fc.oneof(
      times,
      times.map((time) => time.slice(0, 10)),
    );
  if (pattern !== undefined) return patterned(pattern).filter(fits);
  if (format === "date-time") return times;
  if (format === "uuid") return fc.uuid();
  if (format === "email") return fc.emailAddress();
  if (format === "uri") return fc.webUrl();
  if (format !== undefined)
    throw new Error(`no values for the format ${format}: add it to test/hostile/values.ts`);
  return valid.filter(fits);
}

function patterned(pattern: string): fc.Arbitrary<string> {
  const expression = new RegExp(pattern, "u");
  // Generated from the pattern if it has no assertions, otherwise filtered from random texts.
  if (!/\(\?[!=<]|\\p/.test(pattern))
    return fc
      .stringMatching(expression, { maxLength: lengthMax })
      .filter((value) => value.isWellFormed());
  return valid.filter((value) => expression.test(value));
}

function integerBounds(schema: Schema): { min: number; max: number } {
  const { minimum, exclusiveMinimum, maximum, exclusiveMaximum } = schema;
  return {
    min: Math.ceil(minimum ?? (exclusiveMinimum === undefined ? -1e9 : exclusiveMinimum + 1)),
    max: Math.floor(maximum ?? (exclusiveMaximum === undefined ? 1e9 : exclusiveMaximum - 1)),
  };
}

function numbersOf(schema: Schema): fc.Arbitrary<number> {
  const { minimum, exclusiveMinimum, maximum, exclusiveMaximum } = schema;
  return fc.double({
    min: minimum ?? exclusiveMinimum ?? -1e12,
    max: maximum ?? exclusiveMaximum ?? 1e12,
    minExcluded: minimum === undefined && exclusiveMinimum !== undefined,
    maxExcluded: maximum === undefined && exclusiveMaximum !== undefined,
    noNaN: true,
    noDefaultInfinity: true,
  });
}

/** Whether a generated body is non-trivial: a generator of `{}` alone would prove nothing. */
export function isSubstantial(value: unknown): boolean {
  return isRecord(value) ? Object.keys(value).length > 1 : Array.isArray(value) && value.length > 0;
}

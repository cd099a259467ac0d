import { type Schema, isRecord, isUnknown, restOf, typesOf } from "./schema.ts";

/** A position in a body whose schema restricts the type, and its invalid values. */
export interface Position {
  path: (string | number)[];
  schema: Schema;
}

/**
 * Every position of a valid body where a value of another type is an error of its own: not inside unions,
 * where the response may name the union instead.
 */
export function listPositions(
  schema: Schema,
  value: unknown,
  path: (string | number)[] = [],
): Position[] {
  if (isUnknown(schema) || schema.anyOf || schema.oneOf) return [];
  const typed = typesOf(schema).length > 0 || schema.enum !== undefined;
  const here = typed && path.length > 0 ? [{ path, schema }] : [];
  if (isRecord(value)) {
    const rest = restOf(schema) ?? {};
    const below = Object.entries(value).flatMap(([name, child]) => {
      const known = Object.hasOwn(schema.properties ?? {}, name);
      return listPositions(known ? (schema.properties?.[name] ?? {}) : rest, child, [
        ...path,
        name,
      ]);
    });
    return [...here, ...below];
  }
  if (!Array.isArray(value)) return here;
  const items = value.flatMap((child, index) =>
    listPositions(schema.items ?? {}, child, [...path, index]),
  );
  return [...here, ...items];
}

/** Values of types that the schema does not allow. */
export function wrongValuesFor(schema: Schema): unknown[] {
  const types = typesOf(schema);
  const offers: [string, unknown][] = [
    ["string", "not of this type"],
    ["number", 12.5],
    ["boolean", true],
    ["null", null],
    ["array", [{}]],
    ["object", { not: "of this type" }],
  ];
  return offers.filter(([type]) => !types.includes(type)).map(([, value]) => value);
}

/** A copy of `value` with another value at `path`. */
export function putAt(value: unknown, path: readonly (string | number)[], child: unknown): unknown {
  const [head, ...tail] = path;
  if (head === undefined) return child;
  if (Array.isArray(value))
    return value.map((item, index) => (index === head ? putAt(item, tail, child) : item));
  const record = value as Record<string, unknown>;
  return { ...record, [head]: putAt(record[String(head)], tail, child) };
}

/** The RFC 6901 pointer of a position. */
export function toPointer(path: readonly (string | number)[]): string {
  return path
    .map((part) => `/${String(part).replaceAll("~", "~0").replaceAll("/", "~1")}`)
    .join("");
}

/** The JSON Schema keywords that this service's bodies and responses are declared with. */
export interface Schema {
  type?: string | string[];
  description?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  patternProperties?: Record<string, Schema>;
  propertyNames?: Schema;
  minProperties?: number;
  maxProperties?: number;
  items?: Schema;
  minItems?: number;
  maxItems?: number;
  uniqueItems?: boolean;
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  oneOf?: Schema[];
  pattern?: string;
  format?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  exclusiveMaximum?: number;
}

/** The types that a schema names; none when any value is valid. */
export function typesOf(schema: Schema): string[] {
  if (schema.type === undefined) return schema.properties ? ["object"] : [];
  return [schema.type].flat();
}

/** Whether every value is valid. */
export function isUnknown(schema: Schema): boolean {
  const { description: _, ...rest } = schema;
  return Object.keys(rest).length === 0;
}

/** The schema of an object's values beside its named properties; undefined when there are none. */
export function restOf(schema: Schema): Schema | undefined {
  const [pattern] = Object.values(schema.patternProperties ?? {});
  if (pattern) return pattern;
  const rest = schema.additionalProperties;
  if (rest === false) return undefined;
  return typeof rest === "object" ? rest : {};
}

/** Whether a value is a JSON object. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

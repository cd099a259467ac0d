import { Ajv, type ErrorObject, type ValidateFunction } from "ajv";
import formatsModule from "ajv-formats";
import type { TSchema } from "typebox";
import { INSTANT_FORMAT, instantMessage, parseInstants } from "@avow/contract/instants";
import type { FieldFault } from "../platform/errors.ts";

const addFormats = formatsModule.default;

const ERRORS_MAX = 1_000;
/** Maximum length of a text that is matched with a pattern. */
const PATTERN_TEXT_MAX = 4_096;

/** Validates a value: returns all faults, none if the value is valid. */
export type Check = (value: unknown) => FieldFault[];

/**
 * Creates a validator that reports all faults at once. Bodies are neither coerced nor stripped. Queries, path
 * parameters and headers arrive as text: for these `coerceTypes` is "array", and properties that a schema with
 * `additionalProperties: false` does not name are removed.
 */
export function createAjv(coerceTypes: false | "array"): Ajv {
  const ajv = new Ajv({
    allErrors: true,
    strict: false,
    coerceTypes,
    removeAdditional: coerceTypes !== false,
    useDefaults: true,
    validateSchema: false,
    code: { regExp: toBoundedPattern },
    verbose: true,
  });
  addFormats(ajv, ["date-time", "email", "uri", "uuid"]);
  ajv.addFormat(INSTANT_FORMAT, (text) => parseInstants(text) !== undefined);
  return ajv;
}

/**
 * Patterns that reject long texts unread: Ajv matches a pattern even if `maxLength` has failed, so that a text
 * of a megabyte would be matched.
 */
const toBoundedPattern = Object.assign(
  (pattern: string, flags: string) => {
    const expression = new RegExp(pattern, flags);
    return {
      test: (text: string) => text.length <= PATTERN_TEXT_MAX && expression.test(text),
      // The key of Ajv's cache of patterns.
      toString: () => String(expression),
    };
  },
  // Used only in generated stand-alone code, which this project does not have.
  { code: "" },
);

/** Compiles a validator for values that are not a request's, such as a document after a patch. */
export function compileCheck(ajv: Ajv, schema: TSchema): Check {
  const validate = compileLazily(ajv, schema);
  return (value) => toFieldFaults(validate(value) ?? []);
}

/**
 * Returns a function that returns a value's errors, or null. The schema is compiled at its first use:
 * compiling all schemas takes longer than the rest of the service's start.
 */
export function compileLazily(ajv: Ajv, schema: TSchema): (value: unknown) => ErrorObject[] | null {
  let validate: ValidateFunction | undefined;
  return (value) => {
    validate ??= ajv.compile(schema);
    return validate(value) ? null : (validate.errors ?? []);
  };
}

type SchemaError = Pick<
  ErrorObject,
  "instancePath" | "keyword" | "message" | "params" | "parentSchema"
>;

/**
 * Faults in words, one for each path. If a value matches none of several forms, the faults are those of the
 * closest one: the branch with the deepest faults. At most 1,000 errors are read.
 */
export function toFieldFaults(found: readonly SchemaError[]): FieldFault[] {
  const errors = found.slice(0, ERRORS_MAX);
  const unions = errors.filter((e) => e.keyword === "anyOf" || e.keyword === "oneOf");
  const faults = new Map<string, FieldFault>();
  for (const error of errors) {
    const fault = toFieldFault(error);
    const union = unions.find((u) => u !== error && u.instancePath === error.instancePath);
    if (union && error.keyword !== "required") continue;
    if (unions.includes(error)) {
      const deeper = errors.some(
        (e) =>
          e.instancePath.startsWith(`${error.instancePath}/`) ||
          (e.keyword === "required" && e.instancePath === error.instancePath),
      );
      if (deeper) continue;
      fault.message = describeUnion(errors, error);
    }
    if (!faults.has(fault.path)) faults.set(fault.path, fault);
  }
  return [...faults.values()];
}

function describeUnion(errors: readonly SchemaError[], union: SchemaError): string {
  const branches = errors.filter((e) => e !== union && e.instancePath === union.instancePath);
  const constants = branches
    .filter((e) => e.keyword === "const")
    .map((e) => String(e.params["allowedValue"]));
  if (constants.length > 0) return `must be one of ${constants.join(", ")}`;
  const texts = [...new Set(branches.map((e) => toFieldFault(e).message))];
  return texts.join(", or ") || "is not valid";
}

function toFieldFault(error: SchemaError): FieldFault {
  const { missingProperty, allowedValues } = error.params as Record<string, unknown>;
  if (error.keyword === "required")
    return { path: `${error.instancePath}/${String(missingProperty)}`, message: "is required" };
  if (error.parentSchema?.["format"] === INSTANT_FORMAT && error.keyword !== "type")
    return { path: error.instancePath || "/", message: instantMessage };
  // The description of a schema with a pattern completes "must be …".
  const described: unknown = error.parentSchema?.["description"];
  const message = Array.isArray(allowedValues)
    ? `must be one of ${allowedValues.join(", ")}`
    : error.keyword === "pattern" && typeof described === "string"
      ? `must be ${described}`
      : (error.message ?? "is not valid");
  return { path: error.instancePath || "/", message };
}

import { Ajv, type ErrorObject, type ValidateFunction } from "ajv";
import formatsModule from "ajv-formats";
import type { TSchema } from "typebox";
import type { FieldFault } from "../platform/errors.ts";

const addFormats = formatsModule.default;

const ERRORS_MAX = 1_000;
/** As long as the longest text that has a pattern. */
const PATTERN_TEXT_MAX = 4_096;

/** Whether a value keeps to a schema: every fault at once, none when it does. */
export type Check = (value: unknown) => FieldFault[];

/**
 * The validator of bodies: nothing is coerced or removed, all faults are told at once. Queries, path
 * parameters and headers arrive as text: for these, `coerceTypes` is "array", and what a schema with
 * `additionalProperties: false` does not name is taken out.
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
  return ajv;
}

/**
 * Patterns as Ajv uses them, but for long texts, which they refuse unread: Ajv matches a pattern also
 * where `maxLength` has failed, so without this a text of a megabyte would be matched.
 */
const toBoundedPattern = Object.assign(
  (pattern: string, flags: string) => {
    const expression = new RegExp(pattern, flags);
    return {
      test: (text: string) => text.length <= PATTERN_TEXT_MAX && expression.test(text),
      // Ajv tells patterns apart by this.
      toString: () => String(expression),
    };
  },
  // Of use only for generated stand-alone code, which nothing here makes.
  { code: "" },
);

/** A check for values that do not come straight from a request, such as a document after a patch. */
export function compileCheck(ajv: Ajv, schema: TSchema): Check {
  const validate = compileLazily(ajv, schema);
  return (value) => toFieldFaults(validate(value) ?? []);
}

/**
 * Returns a function that answers a value's errors, null where it has none. The schema is compiled at
 * the first use: compiling all of the service's takes longer than the rest of its start.
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
 * Faults in words, one for each place: where a value fits none of several forms, the form that it
 * came nearest to speaks (the branch whose faults lie deepest). At most 1,000 errors are looked at.
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
  // What has a pattern is described so that "must be" may come before it.
  const described: unknown = error.parentSchema?.["description"];
  const message = Array.isArray(allowedValues)
    ? `must be one of ${allowedValues.join(", ")}`
    : error.keyword === "pattern" && typeof described === "string"
      ? `must be ${described}`
      : (error.message ?? "is not valid");
  return { path: error.instancePath || "/", message };
}

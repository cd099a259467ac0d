import { Ajv2020 } from "ajv/dist/2020.js";
import formatsModule from "ajv-formats";
import type { Schema } from "./schema.ts";

/** Where a value departs from a schema, in JSON pointers and words; none when it keeps to it. */
export type Validate = (value: unknown) => string[];

/** Compiles schemas with the draft that OpenAPI 3.1 means, each once. */
export function createValidators(): (schema: Schema) => Validate {
  const ajv = new Ajv2020({ allErrors: true, strict: false });
  formatsModule.default(ajv);
  const known = new Map<Schema, Validate>();
  return (schema) => {
    const validate = known.get(schema) ?? compile(ajv, schema);
    known.set(schema, validate);
    return validate;
  };
}

function compile(ajv: Ajv2020, schema: Schema): Validate {
  const validate = ajv.compile(schema);
  return (value) =>
    validate(value)
      ? []
      : (validate.errors ?? []).map(
          (error) => `${error.instancePath} ${error.message ?? error.keyword}`,
        );
}

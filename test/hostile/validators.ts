import { Ajv2020 } from "ajv/dist/2020.js";
import formatsModule from "ajv-formats";
import { INSTANT_FORMAT, parseInstants } from "@avow/contract/instants";
import type { Schema } from "./schema.ts";

/** Errors of a value against a schema, as JSON pointers with messages; none when it is valid. */
export type Validate = (value: unknown) => string[];

/** Compiles schemas with the draft of OpenAPI 3.1, each once. */
export function createValidators(): (schema: Schema) => Validate {
  const ajv = new Ajv2020({ allErrors: true, strict: false });
  formatsModule.default(ajv);
  ajv.addFormat(INSTANT_FORMAT, (text: string) => parseInstants(text) !== undefined);
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

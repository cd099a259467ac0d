import { compileCheck, createAjv } from "../../../kernel/schemas.ts";
import { resources } from "./resources.ts";

/** The schema of each resource, compiled. */
export function compileChecks() {
  const ajv = createAjv(false);
  return new Map(resources.map(({ name, schema }) => [name, compileCheck(ajv, schema)]));
}

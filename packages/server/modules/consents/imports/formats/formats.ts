import { Fault } from "../../../../platform/errors.ts";
import { csv } from "./csv.ts";
import type { Format } from "./format.ts";
import { ndjson } from "./ndjson.ts";

/** Supported formats. Add a new one here. */
export const formats: readonly Format[] = [csv, ndjson];

export function getFormat(name: string): Format {
  const found = formats.find((format) => format.name === name);
  if (!found) throw new Fault("unsupported-type", `The format ${name} is not supported.`);
  return found;
}

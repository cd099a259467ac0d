import { Fault } from "../../../../platform/errors.ts";
import { csv } from "./csv.ts";
import type { Format } from "./format.ts";
import { ndjson } from "./ndjson.ts";

/** Every kind of file that can be imported. To take another kind, add its file here. */
export const formats: readonly Format[] = [csv, ndjson];

export function getFormat(name: string): Format {
  const found = formats.find((format) => format.name === name);
  if (!found) throw new Fault("unsupported-type", `Files of the kind ${name} are not read.`);
  return found;
}

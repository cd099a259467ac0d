import { resolve } from "node:path";

/** The absolute path of what the caller named: npm runs its scripts in the folder of the package. */
export function toPath(file: string): string {
  return resolve(process.env["INIT_CWD"] ?? "", file);
}

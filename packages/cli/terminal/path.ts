import { resolve } from "node:path";

/** The absolute path of a file. npm runs its scripts in the package's folder and keeps the caller's in INIT_CWD. */
export function toPath(file: string): string {
  return resolve(process.env["INIT_CWD"] ?? "", file);
}

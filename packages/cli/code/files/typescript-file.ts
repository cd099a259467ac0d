import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { isObject } from "@avow/contract/json";
import { toReason } from "../../terminal/errors.ts";
import type { FileFault } from "./faults.ts";
import { findNoJson } from "./json-values.ts";
import type { ReadFile } from "./yaml-file.ts";

/** Runs a module in TypeScript and reads its default export. Its types are for editors and compilers. */
export async function runTypeScript(root: string, path: string): Promise<ReadFile | FileFault[]> {
  if (!process.features.typescript)
    return [
      {
        file: path,
        message: `needs Node 22.18 or newer, which runs TypeScript; this is Node ${process.versions.node}.`,
      },
    ];
  let value: unknown;
  try {
    const module = (await import(pathToFileURL(join(root, path)).href)) as { default?: unknown };
    value = module.default;
  } catch (error) {
    return [{ file: path, message: `failed: ${toReason(error)}` }];
  }
  if (!isObject(value)) return [{ file: path, message: "must export an object as its default." }];
  const wrong = findNoJson(value);
  if (wrong) return [{ file: path, message: `${wrong.pointer || "/"} ${wrong.message}.` }];
  return { value, locate: () => ({}) };
}

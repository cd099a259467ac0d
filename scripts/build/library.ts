import { renameSync } from "node:fs";
import { join } from "node:path";
import { type Manifest, readManifest, writePackage } from "./manifest.ts";
import { compiled } from "./places.ts";

/** Packages of the workspace that are published as they are compiled. */
export const libraries = ["client", "contract", "postgres", "verifier"] as const;

/** Makes the package of a library in `folder`: its modules and types. */
export function buildLibrary(name: (typeof libraries)[number], folder: string): void {
  renameSync(join(compiled, name), folder);
  const manifest = readManifest(name);
  writePackage(folder, name, {
    ...manifest,
    exports: toExports(manifest),
    files: ["**/*.js", "**/*.d.ts"],
    sideEffects: false,
  });
}

/** The entry points of a package, as compiled. */
export function toExports({ exports = {} }: Manifest) {
  const entries = Object.entries(exports).filter(([name]) => name !== "./build");
  return Object.fromEntries(entries.map(([name, file]) => [name, toCompiled(file)]));
}

function toCompiled(file: NonNullable<Manifest["exports"]>[string]) {
  if (typeof file !== "string" || !/\.tsx?$/.test(file)) return file;
  const path = file.replace(/\.tsx?$/, "");
  return { types: `${path}.d.ts`, default: `${path}.js` };
}

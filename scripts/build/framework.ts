import { spawnSync } from "node:child_process";
import { cpSync, globSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { JsonObject } from "@avow/contract/json";
import { toExports } from "./library.ts";
import { readManifest, writePackage } from "./manifest.ts";
import { packages, root } from "./places.ts";

/** The packages for a framework: each is compiled file by file, so that its directives and imports stay. */
export const frameworks = ["react", "react-native", "vue"] as const;

/**
 * Makes the package of a framework in `folder`: its modules, types and style sheets.
 * @throws Error when it does not compile
 */
export function buildFramework(name: (typeof frameworks)[number], folder: string): void {
  rmSync(folder, { recursive: true, force: true });
  const own = join(packages, name);
  const compiler = join(root, "node_modules", "typescript", "bin", "tsc");
  const options = ["--noEmit", "false", "--declaration", "--allowImportingTsExtensions", "false"];
  const { status } = spawnSync(
    process.execPath,
    [compiler, "-p", own, ...options, "--rootDir", own, "--outDir", folder],
    { cwd: root, stdio: "inherit" },
  );
  if (status !== 0) throw new Error(`The package ${name} could not be compiled.`);
  const sheets = globSync("**/*.css", { cwd: own });
  for (const file of sheets) {
    cpSync(join(own, file), join(folder, file));
    // TypeScript 6 and newer look for the types of an import without bindings.
    writeFileSync(join(folder, `${file}.d.ts`), "export {};\n");
  }
  // Peers of a package of the workspace would be installed with the service, so some are declared as published fields.
  const { publishConfig, ...manifest } = readManifest(name);
  writePackage(folder, name, {
    ...manifest,
    ...(publishConfig as JsonObject | undefined),
    exports: { ...toExports(manifest), ...Object.fromEntries(sheets.map(toSheetExport)) },
    files: ["**/*.js", "**/*.d.ts", "**/*.css"],
    sideEffects: ["**/*.css"],
  });
}

function toSheetExport(file: string) {
  return [`./${file}`, { types: `./${file}.d.ts`, default: `./${file}` }] as const;
}

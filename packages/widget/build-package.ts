import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { JsonObject } from "@avow/contract/json";
import { build } from "esbuild";
import { styles } from "./build.ts";

const widget = import.meta.dirname;
const root = join(widget, "../..");

/**
 * Builds the npm package `@avow/widget` in `folder`: modules and their types. Features that load on demand are separate
 * modules, which a bundler splits.
 * @throws Error when the types cannot be built
 */
export async function buildWidgetPackage(folder: string): Promise<void> {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  await build({
    entryPoints: { widget: join(widget, "package.ts") },
    outdir: folder,
    bundle: true,
    splitting: true,
    format: "esm",
    target: ["es2022"],
    charset: "utf8",
    logLevel: "warning",
    plugins: [styles],
  });
  const compiler = join(root, "node_modules", "typescript", "bin", "tsc");
  const options = ["--noEmit", "false", "--emitDeclarationOnly", "--declaration"];
  const { status } = spawnSync(
    process.execPath,
    [compiler, "-p", widget, ...options, "--outDir", join(folder, "types")],
    { cwd: root, stdio: "inherit" },
  );
  if (status !== 0) throw new Error("The types of the widget could not be built.");
  const {
    private: _,
    dependencies: __,
    ...manifest
  } = JSON.parse(readFileSync(join(widget, "package.json"), "utf8")) as JsonObject;
  const exports = { ".": { types: "./types/package.d.ts", default: "./widget.js" } };
  const published = { ...manifest, exports, sideEffects: false };
  writeFileSync(join(folder, "package.json"), `${JSON.stringify(published, null, 2)}\n`);
  cpSync(join(widget, "README.md"), join(folder, "README.md"));
  cpSync(join(root, "LICENSE"), join(folder, "LICENSE"));
}

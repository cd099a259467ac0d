import { spawnSync } from "node:child_process";
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { styles } from "./build.ts";

const widget = import.meta.dirname;
const root = join(widget, "../..");

/** The entry points of the package, by the names of their modules. */
export const entryPoints = {
  widget: "package.ts",
  headless: "headless/package.ts",
  browser: "browser/package.ts",
  server: "server/package.ts",
};

/**
 * Builds the modules and types of the npm package `@avow/widget` in `folder`. Features that load on demand are separate
 * modules, which a bundler splits.
 * @throws Error when the types cannot be built
 */
export async function buildWidgetModules(folder: string): Promise<void> {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  await build({
    entryPoints: Object.fromEntries(
      Object.entries(entryPoints).map(([name, file]) => [name, join(widget, file)]),
    ),
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
}

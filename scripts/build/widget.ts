import { buildWidgetModules, entryPoints } from "../../packages/widget/build-modules.ts";
import { readManifest, writePackage } from "./manifest.ts";

/** Makes the package `@avow/widget` in `folder`, for sites that bundle the widget; all it needs is compiled in. */
export async function buildWidget(folder: string): Promise<void> {
  await buildWidgetModules(folder);
  const { dependencies: _, ...manifest } = readManifest("widget");
  writePackage(folder, "widget", {
    ...manifest,
    exports: Object.fromEntries(
      Object.entries(entryPoints).map(([name, file]) => [
        name === "widget" ? "." : `./${name}`,
        { types: `./types/${file.replace(/\.ts$/, ".d.ts")}`, default: `./${name}.js` },
      ]),
    ),
    files: ["*.js", "types/**/*.d.ts"],
    sideEffects: false,
  });
}

import assert from "node:assert/strict";
import { join } from "node:path";
import { it } from "node:test";
import { gzipSync } from "node:zlib";
import { styles } from "@avow/widget/build";
import { build } from "esbuild";

/** Limit of what a page loads before an answer, without React, compressed. */
const BYTES_MAX = 19_000;

it("the provider, the banner and the gate of @avow/react stay within their size", async () => {
  const { outputFiles, metafile } = await build({
    stdin: {
      contents: `export { ConsentBanner, ConsentGate, ConsentProvider } from "@avow/react";`,
      resolveDir: join(import.meta.dirname, "../.."),
    },
    outdir: "/out",
    bundle: true,
    splitting: true,
    minify: true,
    format: "esm",
    jsx: "automatic",
    external: ["react", "react/jsx-runtime"],
    write: false,
    metafile: true,
    plugins: [styles],
  });
  // Modules that are imported dynamically load later, such as the widget for the layout `iab`.
  const loaded = new Set<string>();
  const visit = (path: string): void => {
    if (loaded.has(path)) return;
    loaded.add(path);
    for (const { path: imported, kind, external } of metafile.outputs[path]?.imports ?? [])
      if (kind === "import-statement" && !external) visit(imported);
  };
  visit(
    Object.keys(metafile.outputs).find(
      (path) => metafile.outputs[path]?.entryPoint === "<stdin>",
    ) ?? "",
  );
  const bytes = outputFiles
    .filter(({ path }) => [...loaded].some((one) => path.endsWith(one.replace(/^.*\//, "/"))))
    .reduce((sum, { contents }) => sum + gzipSync(contents).length, 0);
  assert.ok(bytes > BYTES_MAX / 2, `the modules were found: ${bytes} bytes`);
  assert.ok(bytes <= BYTES_MAX, `${bytes} bytes`);
});

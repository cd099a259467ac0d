import assert from "node:assert/strict";
import { join } from "node:path";
import { describe, it } from "node:test";
import { gzipSync } from "node:zlib";
import { styles } from "@avow/widget/build";
import { build } from "esbuild";

/** Limits of what a page or a server loads before an answer, compressed, without the framework. */
const limits = [
  ["the headless core", 'export { createConsent } from "@avow/widget/headless";', 11_200],
  [
    "the headless core in a page",
    'export { connectPage, createBrowserConsent } from "@avow/widget/browser";',
    12_700,
  ],
  ["the server reader", 'export { createConsentReader } from "@avow/widget/server";', 8_300],
  [
    "the provider, the banner and the gate for React",
    'export { ConsentBanner, ConsentGate, ConsentProvider } from "@avow/react";',
    20_000,
  ],
] as const;

describe("entry points stay within their size", () => {
  for (const [name, source, bytesMax] of limits)
    it(name, async () => {
      const bytes = await countBytes(source);
      assert.ok(bytes > bytesMax / 2, `the modules were found: ${bytes} bytes`);
      assert.ok(bytes <= bytesMax, `${bytes} bytes`);
    });
});

/** The size of a module with its static imports: those that are imported dynamically load later, such as TCF. */
async function countBytes(source: string): Promise<number> {
  const { outputFiles, metafile } = await build({
    stdin: { contents: source, resolveDir: join(import.meta.dirname, "../..") },
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
  const { outputs } = metafile;
  const loaded = new Set<string>();
  const visit = (path: string): void => {
    if (loaded.has(path)) return;
    loaded.add(path);
    for (const { path: imported, kind, external } of outputs[path]?.imports ?? [])
      if (kind === "import-statement" && !external) visit(imported);
  };
  visit(Object.keys(outputs).find((path) => outputs[path]?.entryPoint === "<stdin>") ?? "");
  return outputFiles
    .filter(({ path }) => [...loaded].some((one) => path.endsWith(one.replace(/^.*\//, "/"))))
    .reduce((sum, { contents }) => sum + gzipSync(contents).length, 0);
}

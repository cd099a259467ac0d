import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { BASE_MARK, PAGE, PREVIEW } from "./names.ts";

const folder = new URL("./", import.meta.url);

/** Builds the admin app: the page, and files by their names, which contain a content hash. */
export function buildAdmin(): Promise<Map<string, string>> {
  return buildPage({ script: "main.tsx", style: "style/main.css" });
}

/** Builds the page of tokens and components in place of the app, for its developers. */
export function buildDesign(): Promise<Map<string, string>> {
  return buildPage({ script: "design/main.tsx", style: "design/style.css" });
}

interface PageEntries {
  script: string;
  style: string;
}

async function buildPage({ script, style }: PageEntries): Promise<Map<string, string>> {
  const at = (name: string): string => fileURLToPath(new URL(name, folder));
  const { outputFiles, metafile } = await build({
    entryPoints: [
      { in: at(script), out: "main" },
      { in: at(style), out: "style" },
      { in: at("icon.svg"), out: "icon" },
    ],
    absWorkingDir: at("."),
    outdir: at("built"),
    bundle: true,
    splitting: true,
    minify: true,
    write: false,
    metafile: true,
    format: "esm",
    target: ["chrome123", "firefox125", "safari17.5"],
    charset: "utf8",
    legalComments: "none",
    jsx: "automatic",
    jsxImportSource: "preact",
    loader: { ".svg": "copy" },
    entryNames: "[name]-[hash]",
    chunkNames: "[name]-[hash]",
    define: { "process.env.NODE_ENV": '"production"' },
  });
  const files = new Map(outputFiles.map(({ path, text }) => [basename(path), text]));
  const named = (entry: string): string => {
    const found = Object.entries(metafile.outputs).find(([, one]) => one.entryPoint === entry);
    if (!found) throw new Error(`The build has no output for ${entry}.`);
    return basename(found[0]);
  };
  const icon = [...files.keys()].find((name) => name.endsWith(".svg"));
  if (icon === undefined) throw new Error("The build has no icon.");
  const main = metafile.outputs[`built/${named(script)}`];
  // Preloads the static imports of the entry, so that the browser requests them all at once.
  const parts = (main?.imports ?? []).filter(({ kind }) => kind === "import-statement");
  const preloads = parts.map(
    ({ path }) => `<link rel="modulepreload" href="${BASE_MARK}/admin/files/${basename(path)}">`,
  );
  for (const [name, text] of await buildPreview()) files.set(name, text);
  const template = await readFile(new URL(PAGE, folder), "utf8");
  const page = template
    .replace("{{icon}}", icon)
    .replace("{{style}}", named(style))
    .replace("{{script}}", named(script))
    .replace("<!-- preloads -->", preloads.join(""));
  return files.set(PAGE, page);
}

/** Builds the preview page. Its script is no module, because a page without an origin cannot load modules. */
async function buildPreview(): Promise<Map<string, string>> {
  const at = (name: string): string => fileURLToPath(new URL(`preview/${name}`, folder));
  const { outputFiles } = await build({
    entryPoints: [
      { in: at("preview.ts"), out: "preview" },
      { in: at("preview.css"), out: "preview" },
    ],
    outdir: at("built"),
    bundle: true,
    minify: true,
    write: false,
    format: "iife",
    target: ["chrome123", "firefox125", "safari17.5"],
    charset: "utf8",
    legalComments: "none",
    entryNames: "[name]-[hash]",
  });
  const files = new Map(outputFiles.map(({ path, text }) => [basename(path), text]));
  const named = (ending: string): string => {
    const found = [...files.keys()].find((name) => name.endsWith(ending));
    if (found === undefined) throw new Error(`The preview has no ${ending}.`);
    return found;
  };
  const template = await readFile(new URL(`preview/${PREVIEW}`, folder), "utf8");
  const page = template.replace("{{style}}", named(".css")).replace("{{script}}", named(".js"));
  return files.set(PREVIEW, page);
}

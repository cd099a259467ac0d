import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { type Plugin, build, transform } from "esbuild";
import { minify } from "uglify-js";

const folder = new URL("../packages/widget/", import.meta.url);
/** Loaded where a page has use for them, under their hash (see `packages/widget/features.ts`). */
const features = ["boxes", "tcf"];

type Names = Record<string, string | false>;

/** Style sheets as text, made small. */
export const styles: Plugin = {
  name: "styles",
  setup(bundler) {
    bundler.onLoad({ filter: /\.css$/ }, async ({ path }) => {
      const { code } = await transform(await readFile(path, "utf8"), {
        loader: "css",
        minify: true,
      });
      return { loader: "text", contents: code.trim().replace(/(--[a-z]+:|[,/]) /g, "$1") };
    });
  },
};

/**
 * Members of objects that never leave the widget, which may be called anything: neither a page nor a
 * published file nor the browser knows these names.
 */
const own =
  /^(sayFor|is(Asked|Pending|Completed|Reopened|Modal|OptedOut)|onAnswer|onShow|toMain|noteDisplay|noteTold|toGrants|keep|choices|chosen|wanted|settle|ask|rest|flush|begin|coming|authorized|days|screens|show|memory|refresh|run|send|options|site|openBoxes|(with|on)Person|openTcf|fill|place|input|node|say|root|domain|switches|onOpen|iab|sheet|host|isAccepting|label|first)$/;

/** The widget as browsers load it: the name of each file and its text; `widget.js` is the entry. */
export async function buildWidget(): Promise<Map<string, string>> {
  const files = new Map<string, string>();
  // The files call each other's members: what one is called in the first it is called in all.
  const names: Names = {};
  const hashes: Record<string, string> = {};
  for (const name of features) {
    const text = await bundle(`${name}/main.ts`, names);
    const hash = createHash("sha256").update(text).digest("base64");
    // Keys of published files are in small letters: there, two hashes would have to differ in case and signs alone.
    files.set(`${name}.${hash.toLowerCase().replace(/\W/g, "")}.js`, text);
    hashes[name] = hash;
  }
  files.set("widget.js", await bundle("main.ts", names, { FILES: JSON.stringify(hashes) }));
  return files;
}

async function bundle(
  entry: string,
  names: Names,
  define: Record<string, string> = {},
): Promise<string> {
  const { outputFiles, mangleCache } = await build({
    entryPoints: [fileURLToPath(new URL(entry, folder))],
    bundle: true,
    minifySyntax: true,
    write: false,
    format: "iife",
    target: ["es2022"],
    charset: "utf8",
    legalComments: "none",
    define,
    plugins: [styles],
    mangleProps: own,
    mangleCache: names,
  });
  Object.assign(names, mangleCache);
  // esbuild's own is a twentieth larger. Functions stay where they are: what is in the bundle's own scope
  // is not to come into the page's.
  const { code, error } = minify((outputFiles[0]?.text ?? "").replace('"use strict";', ""), {
    toplevel: true,
    compress: { passes: 6, inline: 1, pure_getters: true },
  });
  if (error) throw error;
  return `${code}\n`;
}

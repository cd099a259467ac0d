import { createHash } from "node:crypto";
import type { EventEmitter } from "node:events";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { type Plugin, build, transform } from "esbuild";
import { minify } from "uglify-js";
import { BLOCKER, ENTRY, ENTRY_GZIP } from "./names.ts";

const folder = new URL("./", import.meta.url);
/** Files that are loaded on demand, under their hash (see `features.ts`). A file knows the hashes of those before it. */
const features = ["gpp", "regions", "center", "boxes", "device", "tcf"];

type Names = Record<string, string | false>;

/** Imports style sheets as minified text. */
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
 * Names of internal members, which are mangled. They are not used by pages, published files or the browser.
 */
const own =
  /^(sayFor|is(Asked|Pending|Completed|Reopened|Modal|OptedOut)|onAnswer|onShow|toMain|noteDisplay|noteNotice|toGrants|keep|choices|chosen|wanted|settle|ask|rest|flush|begin|coming|authorized|days|screens|show|memory|refresh|run|send|options|site|openBoxes|(with|on)Person|openTcf|fill|place|input|node|say|root|domain|switches|onOpen|iab|sheet|host|isAccepting|label|first|toContent|loadCenter|regional|openRegion|toNote|toButtons|adoptAnswers|cleanDevice|center|boxes|device|note|toPreferences|openGpp|(read|write)Memory|(list|put|remove)Entr(y|ies)|answeredList|load|transport|toPageUrl|languageTags|countryCode|pagePath)$/;

/** The widget's files for browsers, by name; the entry also as gzip. */
export async function buildWidget(): Promise<ReadonlyMap<string, string | Uint8Array>> {
  const files = new Map<string, string | Uint8Array>();
  // The files share members, so mangled names must be the same in all files.
  const names: Names = {};
  // The first names are the shortest.
  await bundle("main.ts", names);
  const hashes: Record<string, string> = {};
  for (const name of features) {
    const { code } = await transform(await bundle(`${name}/main.ts`, names, hashes), {
      minify: true,
      charset: "utf8",
    });
    const hash = createHash("sha256").update(code).digest("base64");
    // Keys of published files are lower case. Only hashes that differ just in case and signs would collide.
    files.set(`${name}.${hash.toLowerCase().replace(/\W/g, "")}.js`, code);
    hashes[name] = hash;
  }
  // The file of regions loads it.
  delete hashes["gpp"];
  const entry = shrink(await bundle("main.ts", names, hashes));
  files.set(ENTRY, entry);
  // It shares no members with the other files.
  files.set(BLOCKER, shrink(await bundle("block/main.ts", undefined)));
  const { gzipAsync } = await loadZopfli();
  return files.set(ENTRY_GZIP, await gzipAsync(Buffer.from(entry), {}));
}

/** Loads zopfli and removes its handlers of the process's uncaught errors, which a running service handles itself. */
async function loadZopfli() {
  const errors: EventEmitter = process;
  const events = ["uncaughtException", "unhandledRejection"];
  const kept = new Map(events.map((event) => [event, errors.listeners(event)]));
  const zopfli = await import("@gfx/zopfli");
  for (const [event, listeners] of kept)
    for (const listener of errors.listeners(event))
      if (!listeners.includes(listener)) errors.off(event, listener as () => void);
  return zopfli;
}

async function bundle(
  entry: string,
  names: Names | undefined,
  hashes: Readonly<Record<string, string>> = {},
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
    define: { FILES: JSON.stringify(hashes) },
    plugins: [styles],
    ...(names && { mangleProps: own, mangleCache: names }),
  });
  if (names) Object.assign(names, mangleCache);
  return (outputFiles[0]?.text ?? "").replace('"use strict";', "");
}

/**
 * Minifies the entry, which every visitor loads: 5 % smaller than with esbuild, at a hundred times its duration. Functions
 * are not moved, so that none gets into the page's global scope.
 */
function shrink(text: string): string {
  const { code, error } = minify(text, {
    toplevel: true,
    compress: { passes: 6, inline: 1, pure_getters: true, varify: false, if_return: false },
  });
  if (error) throw error;
  return `${code}\n`;
}

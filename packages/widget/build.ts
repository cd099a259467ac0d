import { createHash } from "node:crypto";
import type { EventEmitter } from "node:events";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { type Plugin, build, transform } from "esbuild";
import { minify } from "uglify-js";
import { ENTRY, ENTRY_GZIP } from "./names.ts";

const folder = new URL("./", import.meta.url);
/** Loaded where a page has use for them, under their hash (see `features.ts`). */
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

/** The widget as browsers load it: files by name. The entry is there as gzip too. */
export async function buildWidget(): Promise<ReadonlyMap<string, string | Uint8Array>> {
  const files = new Map<string, string | Uint8Array>();
  // The files call each other's members: what one is called in the first it is called in all.
  const names: Names = {};
  const hashes: Record<string, string> = {};
  for (const name of features) {
    const { code } = await transform(await bundle(`${name}/main.ts`, names), {
      minify: true,
      charset: "utf8",
    });
    const hash = createHash("sha256").update(code).digest("base64");
    // Keys of published files are in small letters: there, two hashes would have to differ in case and signs alone.
    files.set(`${name}.${hash.toLowerCase().replace(/\W/g, "")}.js`, code);
    hashes[name] = hash;
  }
  const entry = shrink(await bundle("main.ts", names, { FILES: JSON.stringify(hashes) }));
  files.set(ENTRY, entry);
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
  return (outputFiles[0]?.text ?? "").replace('"use strict";', "");
}

/**
 * The entry, which every visitor loads: a twentieth smaller than by esbuild, which takes a hundredth of the time. Functions
 * stay where they are, so that none gets into the scope of the page.
 */
function shrink(text: string): string {
  const { code, error } = minify(text, {
    toplevel: true,
    compress: { passes: 6, inline: 1, pure_getters: true },
  });
  if (error) throw error;
  return `${code}\n`;
}

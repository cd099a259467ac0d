import { watch } from "node:fs";
import { resolve, sep } from "node:path";
import { createInterface } from "node:readline";
import { readImporters, selectAffected } from "./affected.ts";

const root = resolve(import.meta.dirname, "../..");
/** Editors write a file in several steps. */
const SETTLE_MS = 100;
const help = "Watching. Enter runs all files, a part of a path the files that match, q quits.";

/**
 * Runs the test files that each change affects, until its input ends or a signal stops it. Typed
 * lines choose files by hand. Resolves to the exit status.
 */
export async function watchFiles(
  listFiles: () => readonly string[],
  { run, signal }: { run: (files: readonly string[]) => Promise<unknown>; signal: AbortSignal },
): Promise<number> {
  const changed = new Set<string>();
  let wake = Promise.withResolvers<string | undefined>();
  const watcher = watch(root, { recursive: true, ignore: ["node_modules", ".git", "dist"] });
  let timer: NodeJS.Timeout | undefined;
  watcher.on("change", (_event, name) => {
    const file = String(name).split(sep).join("/");
    if (!/\.tsx?$/.test(file) || /^(?:node_modules|\.git|dist)\//.test(file)) return;
    changed.add(file);
    clearTimeout(timer);
    timer = setTimeout(() => wake.resolve(undefined), SETTLE_MS);
  });
  const input = createInterface({ input: process.stdin });
  input.on("line", (line) => wake.resolve(line.trim()));
  const quit = () => wake.resolve("q");
  input.on("close", quit);
  signal.addEventListener("abort", quit);
  try {
    for (;;) {
      process.stdout.write(`\n${help}\n`);
      const line = await wake.promise;
      wake = Promise.withResolvers();
      if (line === "q") return 0;
      const selected = select(line);
      changed.clear();
      if (selected.length === 0) process.stdout.write("No test file is affected.\n");
      else await run(selected);
    }
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", quit);
    watcher.close();
    input.close();
  }

  function select(line: string | undefined): readonly string[] {
    const files = listFiles();
    if (line !== undefined) return files.filter((file) => file.includes(line));
    const importers = readImporters();
    const affected = [...changed].flatMap((file) => selectAffected(file, files, importers));
    return [...new Set(affected)];
  }
}

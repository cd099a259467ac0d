// npm run mutations: applies small faults to a copy of the tree, one at a time, and runs the test file that
// should catch each. The test file must pass without the fault. Exits with 1 when a fault survives.
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { areas } from "./areas.ts";
import type { Mutation } from "./mutation.ts";

const root = resolve(import.meta.dirname, "../..");
const usage = `Usage: npm run mutations -- [--area AREA] [--tree COMMIT]

Areas: ${Object.keys(areas).join(", ")}. With --tree the faults are applied to another commit's files.`;

const { values } = parseArgs({
  options: {
    area: { type: "string" },
    tree: { type: "string", default: "HEAD" },
    help: { type: "boolean", default: false },
  },
});
if (values.help || (values.area !== undefined && !Object.hasOwn(areas, values.area))) {
  console.log(usage);
  process.exit(values.help ? 0 : 2);
}

const folder = mkdtempSync(join(tmpdir(), "avow-mutations-"));
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => process.exit(130));
process.on("exit", () => {
  rmSync(folder, { recursive: true, force: true });
  execFileSync("git", ["worktree", "prune"], { cwd: root });
});
const tree = checkOut(values.tree, folder);
const passing = new Set<string>();
let survivors = 0;
console.log("| area | fault | caught by |\n| --- | --- | --- |");
for (const [area, mutations] of Object.entries(areas)) {
  if (values.area !== undefined && values.area !== area) continue;
  for (const mutation of mutations) {
    const isCaught = await isCaughtByTest(mutation);
    if (!isCaught) survivors += 1;
    const test = isCaught ? `\`${mutation.caughtBy}\`` : "**survived**";
    console.log(`| ${area} | ${mutation.name} | ${test} |`);
  }
}

console.log(`\n${survivors === 0 ? "Every fault was caught." : `${survivors} survived.`}`);
process.exitCode = survivors === 0 ? 0 : 1;

/** Checks out a commit with this tree's installed packages, but with its own packages of the workspace and its own cache. */
function checkOut(commit: string, parent: string): string {
  const path = join(parent, "tree");
  execFileSync("git", ["worktree", "add", "--quiet", "--detach", path, commit], { cwd: root });
  mkdirSync(join(path, "node_modules/@avow"), { recursive: true });
  for (const name of readdirSync(join(root, "node_modules")))
    if (name !== "@avow" && name !== ".cache")
      symlinkSync(join(root, "node_modules", name), join(path, "node_modules", name));
  for (const name of readdirSync(join(root, "node_modules/@avow")))
    symlinkSync(join(path, "packages", name), join(path, "node_modules/@avow", name));
  return path;
}

/**
 * Applies a fault, runs its test file, and restores the file. Throws when the test file fails without the
 * fault.
 */
async function isCaughtByTest({ file, find, replace, caughtBy }: Mutation): Promise<boolean> {
  const path = join(tree, file);
  const text = readFileSync(path, "utf8");
  if (text.split(find).length !== 2)
    throw new Error(`${file} must contain this text exactly once: ${find}`);
  if (!passing.has(caughtBy) && !(await passes(caughtBy)))
    throw new Error(`${caughtBy} fails without a fault.`);
  passing.add(caughtBy);
  writeFileSync(
    path,
    text.replace(find, () => replace),
  );
  try {
    return !(await passes(caughtBy));
  } finally {
    writeFileSync(path, text);
  }
}

/** Whether a test file passes; throws when none of its tests ran. */
async function passes(test: string): Promise<boolean> {
  const child = spawn("npm", ["test", "--silent", "--", test], {
    cwd: tree,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => (output += text));
  const [code] = (await once(child, "close")) as [number | null];
  if (!/\b[1-9]\d* (?:passed|failed)|^# pass|ℹ (?:pass|fail) [1-9]/m.test(output))
    throw new Error(`${test} did not run:\n${output}`);
  return code === 0;
}

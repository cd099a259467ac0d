// Runs a file of this project under its own Node, installing what is missing first:
//   node scripts/run.mjs <file> [arguments]     or     node scripts/run.mjs --install
// It needs nothing but Node 20 or newer with npm, so it is plain JavaScript without dependencies.
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { getVerifiedNode, install, isInstalled } from "./install.mjs";
import { readSettings, runProgram } from "../packages/server/node-program.mjs";
import { serviceFlags } from "../packages/server/service-flags.mjs";

const service = "packages/server/main.ts";
/** Programs that need production dependencies only. */
const production = ["packages/server/", "packages/cli/", "packages/lab/demo/"];
const root = dirname(dirname(fileURLToPath(import.meta.url)));
const [file, ...args] = process.argv.slice(2);

if (file === undefined) {
  console.error("Usage: node scripts/run.mjs <file> [arguments]");
  process.exit(2);
}
const isProduction = production.some((folder) => file.startsWith(folder));
let node;
try {
  if (!isInstalled(root, !isProduction)) await install(root, !isProduction);
  node = await getVerifiedNode(root);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
if (file !== "--install") {
  // Compiled code is cached by its source, which halves the loading time.
  const cache = { NODE_COMPILE_CACHE: join(root, "node_modules/.cache/node") };
  const settings = isProduction ? readSettings(root) : {};
  const env = { ...cache, ...settings, ...process.env };
  const flags = file === service ? serviceFlags : [];
  const all = [...flags, resolve(root, file), ...args];
  process.exitCode = await runProgram(node, all, { cwd: root, env });
}

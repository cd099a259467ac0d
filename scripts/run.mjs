// Runs a file of this project under its own Node, installing what is missing first:
//   node scripts/run.mjs <file> [arguments]     or     node scripts/run.mjs --install
// It needs nothing but Node 20 or newer with npm, so it is plain JavaScript without dependencies.
import { spawn } from "node:child_process";
import { constants } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { getVerifiedNode, install, isInstalled } from "./install.mjs";
import { serviceFlags } from "../packages/server/service-flags.mjs";

const PARENT_POLL_MS = 500;
const service = "packages/server/main.ts";
/** Programs that need production dependencies only. */
const production = ["packages/server/", "packages/cli/", "packages/lab/demo/"];
const root = dirname(dirname(fileURLToPath(import.meta.url)));
const [file, ...args] = process.argv.slice(2);

if (file === undefined) {
  console.error("Usage: node scripts/run.mjs <file> [arguments]");
  process.exit(2);
}
let node;
try {
  const withDev = !production.some((folder) => file.startsWith(folder));
  if (!isInstalled(root, withDev)) await install(root, withDev);
  node = await getVerifiedNode(root);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
const flags = file === service ? serviceFlags : [];
if (file !== "--install")
  process.exitCode = await run(node, [...flags, resolve(root, file), ...args]);

/** Runs `program` to its end, and passes signals on; returns its exit status, 128 + n after a signal. */
function run(program, programArgs) {
  // Compiled code is cached by its source, which halves the loading time.
  const env = { NODE_COMPILE_CACHE: join(root, "node_modules/.cache/node"), ...process.env };
  // The channel carries no messages: when it closes, the program knows that this process was killed.
  const stdio = ["inherit", "inherit", "inherit", "ipc"];
  const child = spawn(program, programArgs, { cwd: root, env, stdio });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"])
    process.on(signal, () => child.kill(signal));
  if (process.env.npm_lifecycle_event !== undefined) watchParent(() => child.kill("SIGTERM"));
  return new Promise((fulfil, reject) => {
    child.once("error", reject);
    child.once("exit", (code, signal) => fulfil(code ?? 128 + constants.signals[signal]));
  });
}

/**
 * A killed npm sends no signal. Without this, the program would keep running, with its port and data folder.
 */
function watchParent(onGone) {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    onGone();
  }, PARENT_POLL_MS);
  timer.unref();
}

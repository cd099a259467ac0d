// The Node program from npm that runs the service. Plain JavaScript for Node 20 and newer, without dependencies: the
// scripts of a checkout and the command of the published package use it before anything else can be loaded.
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { createReadStream, readFileSync, statSync, writeFileSync } from "node:fs";
import { constants } from "node:os";
import { join } from "node:path";
import { parseEnv } from "node:util";

const PARENT_POLL_MS = 500;
const hashes = JSON.parse(readFileSync(new URL("node-hashes.json", import.meta.url), "utf8"));
const isAppleSilicon = process.platform === "darwin" && process.arch === "arm64";

/** The npm package with the Node program for this machine. */
export const nodePackage = `${isAppleSilicon ? "node-bin" : "node"}-${process.platform}-${process.arch}`;

/**
 * Compares the SHA-256 of a Node program with that of the release. A program that was compared before is hashed again
 * only if its file has changed, since that takes a third of a second; `stamp` is the file that remembers it.
 * @throws Error if the program differs
 */
export async function verifyNode(file, stamp) {
  const { ino, size, ctimeMs } = statSync(file);
  const identity = `${ino} ${size} ${ctimeMs}`;
  if (readText(stamp) === identity) return;
  const hash = createHash("sha256");
  for await (const chunk of createReadStream(file)) hash.update(chunk);
  if (hash.digest("hex") !== hashes.sha256[nodePackage])
    throw new Error(
      `${file} is not Node ${hashes.version} as it was released: its SHA-256 differs from node-hashes.json. Find out who changed it, then delete node_modules and install again.`,
    );
  try {
    writeFileSync(stamp, identity);
  } catch {
    // A folder that only root can write to: each start compares the program.
  }
}

/** The settings in `avow.env` of a folder, lines of NAME=VALUE; none without the file. */
export function readSettings(folder) {
  return parseEnv(readText(join(folder, "avow.env")) ?? "");
}

/** Runs a program to its end, and passes signals on; returns its exit status, 128 + n after a signal. */
export function runProgram(program, args, options) {
  // The channel carries no messages: when it closes, the program knows that this process was killed.
  const stdio = ["inherit", "inherit", "inherit", "ipc"];
  const child = spawn(program, args, { ...options, stdio });
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

function readText(file) {
  try {
    return readFileSync(file, "utf8").trim();
  } catch {
    return undefined;
  }
}

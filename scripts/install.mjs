// Installs the dependencies for `scripts/run.mjs`. Plain JavaScript for Node 20, without dependencies of its
// own.
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { nodePackage, verifyNode } from "../packages/server/node-program.mjs";
import { takeInstallLock } from "./install-lock.mjs";

/**
 * Contains the hash of the installed lock file, and "dev" when the packages for tests and checks are
 * included.
 */
const STAMP = "node_modules/.avow-installed";
/** Contains the identity of the Node program whose hash was compared. */
const NODE_STAMP = "node_modules/.avow-node";
const STOP_SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"];

/** Whether node_modules matches package-lock.json, also after a plain `npm ci`. */
export function isInstalled(root, withDev) {
  if (findNode(root) === undefined) return false;
  const wanted = toStamp(root);
  const stamp = readText(join(root, STAMP));
  if (stamp === `${wanted} dev` || (!withDev && stamp === wanted)) return true;
  for (const dev of withDev ? [true] : [true, false]) {
    if (!matchesLock(root, dev)) continue;
    writeFileSync(join(root, STAMP), dev ? `${wanted} dev` : wanted);
    return true;
  }
  return false;
}

/** Installs missing packages from npm. Concurrent processes wait for the first. */
export async function install(root, withDev) {
  const release = await takeInstallLock(root);
  try {
    if (isInstalled(root, withDev)) return;
    const startedAt = performance.now();
    await installPackages(root, withDev);
    if (findNode(root) === undefined)
      throw new Error(
        `npm did not install ${nodePackage}. Avow runs on Linux and macOS, x64 and arm64; npm must not omit optional packages.`,
      );
    // A third of the package; only compilers of native addons need it.
    rmSync(join(root, "node_modules", nodePackage, "include"), { recursive: true, force: true });
    if (!isInstalled(root, withDev)) {
      throw new Error(
        "npm succeeded, but packages are missing. Delete node_modules and try again.",
      );
    }
    console.error(`Installed in ${Math.round((performance.now() - startedAt) / 1000)} s.`);
  } finally {
    release();
  }
}

async function installPackages(root, withDev) {
  // A service may be using the installed packages, so packages for tests are only added.
  const isAddition = isInstalled(root, false);
  const all = withDev || (readText(join(root, STAMP))?.endsWith(" dev") ?? false);
  console.error(
    isAddition
      ? "Installing packages for tests and checks from npm, once (about 330 MB) …"
      : `Installing dependencies from npm, once (about ${all ? 740 : 410} MB) …`,
  );
  const args = [
    ...(isAddition ? ["install", "--no-save"] : ["ci"]),
    all ? "--include=dev" : "--omit=dev",
    "--include=optional",
    "--no-audit",
    "--no-fund",
    "--loglevel=error",
  ];
  // The lock file has versions and hashes, so npm can use its cache without asking the registry.
  if (await npm(root, [...args, "--prefer-offline"])) return;
  console.error("npm failed. Its cache may be outdated: asking the registry …");
  if (!(await npm(root, args))) throw new Error(`npm ${args[0]} failed; its output is above.`);
}

/** The path of the project's own Node; undefined when it is not installed. */
export function findNode(root) {
  const file = join(root, "node_modules", nodePackage, "bin/node");
  return existsSync(file) ? file : undefined;
}

/** The project's own Node, after comparing its SHA-256 with that of the release. */
export async function getVerifiedNode(root) {
  const file = findNode(root);
  if (file === undefined) throw new Error(`${nodePackage} is not installed.`);
  await verifyNode(file, join(root, NODE_STAMP));
  return file;
}

/**
 * Whether every package of package-lock.json is in node_modules, by npm's own record. Packages for other
 * platforms do not count.
 */
function matchesLock(root, withDev) {
  const record = readText(join(root, "node_modules/.package-lock.json"));
  if (record === undefined) return false;
  const installed = JSON.parse(record).packages;
  const wanted = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")).packages;
  return Object.entries(wanted).every(([path, entry]) => {
    if (path === "" || entry.optional || entry.devOptional || (entry.dev && !withDev)) return true;
    return (
      installed[path]?.version === entry.version && installed[path]?.integrity === entry.integrity
    );
  });
}

function toStamp(root) {
  return createHash("sha256")
    .update(readFileSync(join(root, "package-lock.json")))
    .digest("hex");
}

function readText(file) {
  try {
    return readFileSync(file, "utf8").trim();
  } catch {
    return undefined;
  }
}

/**
 * Runs the npm that started this process, or the one on the PATH, with visible output; returns whether it
 * succeeded.
 */
function npm(folder, args) {
  const { npm_execpath: script, npm_node_execpath: node } = process.env;
  const [program, first] = script?.endsWith(".js")
    ? [node ?? process.execPath, [script]]
    : ["npm", []];
  const child = spawn(program, [...first, ...args], { cwd: folder, stdio: ["ignore", 2, 2] });
  let isStopped = false;
  const stop = (signal) => {
    isStopped = true;
    child.kill(signal);
  };
  for (const signal of STOP_SIGNALS) process.on(signal, stop);
  return new Promise((fulfil, reject) => {
    child.once("error", reject);
    child.once("exit", (code) => {
      for (const signal of STOP_SIGNALS) process.off(signal, stop);
      if (isStopped) reject(new Error("The installation was interrupted."));
      else fulfil(code === 0);
    });
  });
}

// What `scripts/run.mjs` needs to have installed. Plain JavaScript for Node 20, without dependencies.
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { takeInstallLock } from "./install-lock.mjs";

const STAMP = "node_modules/.avow-installed";
const STOP_SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"];
const isAppleSilicon = process.platform === "darwin" && process.arch === "arm64";
/** Where the package `node` takes its program from. */
const platformPackage = `${isAppleSilicon ? "node-bin" : "node"}-${process.platform}-${process.arch}`;

/** Whether node_modules holds what package-lock.json asks for; a plain `npm ci` counts too. */
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

/** Runs `npm ci`, once for all who ask at the same time, and sees to it that the project's Node is there. */
export async function install(root, withDev) {
  const release = await takeInstallLock(root);
  try {
    if (isInstalled(root, withDev)) return;
    const startedAt = performance.now();
    if (!matchesLock(root, withDev)) {
      console.error("Installing dependencies from npm, once (about 200 MB; half a minute or so) …");
      await npm(root, [
        "ci",
        "--include=dev",
        "--include=optional",
        "--no-audit",
        "--no-fund",
        "--loglevel=error",
      ]);
    }
    if (findNode(root) === undefined) await installNode(root);
    if (!isInstalled(root, withDev)) {
      throw new Error(
        "npm ended well, yet packages are missing. Delete node_modules and try again.",
      );
    }
    console.error(`Installed in ${Math.round((performance.now() - startedAt) / 1000)} s.`);
  } finally {
    release();
  }
}

/** The project's own Node, or undefined where its package's install script has not run. */
export function findNode(root) {
  const places = [
    "node_modules/node/bin/node",
    `node_modules/node/node_modules/${platformPackage}/bin/node`,
  ];
  return places.map((place) => join(root, place)).find((place) => existsSync(place));
}

/** The package `node` fetches its program in an install script, which npm may have been told not to run. */
async function installNode(root) {
  const { version } = JSON.parse(
    readFileSync(join(root, "node_modules/node/package.json"), "utf8"),
  );
  const name = `${platformPackage}@${version}`;
  const folder = join(root, "node_modules/node");
  await npm(folder, [
    "install",
    "--no-save",
    "--no-package-lock",
    "--no-audit",
    "--no-fund",
    "--loglevel=error",
    name,
  ]);
  if (findNode(root) === undefined) {
    throw new Error(`npm has no Node ${version} for ${process.platform}-${process.arch}.`);
  }
}

/** Whether every package of package-lock.json (those for other systems aside) is in node_modules, by npm's own record. */
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

/** Runs the npm that runs this, or the one on the path; what it says is shown. */
function npm(folder, args) {
  const { npm_execpath: script, npm_node_execpath: node } = process.env;
  const [program, first] = script?.endsWith(".js")
    ? [node ?? process.execPath, [script]]
    : ["npm", []];
  const child = spawn(program, [...first, ...args], { cwd: folder, stdio: ["ignore", 2, 2] });
  const stop = (signal) => child.kill(signal);
  for (const signal of STOP_SIGNALS) process.on(signal, stop);
  return new Promise((fulfil, reject) => {
    child.once("error", reject);
    child.once("exit", (code) => {
      for (const signal of STOP_SIGNALS) process.off(signal, stop);
      if (code === 0) fulfil();
      else reject(new Error(`npm ${args[0]} did not succeed; what it said stands above.`));
    });
  });
}

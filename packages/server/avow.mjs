#!/usr/bin/env node
// The command `avow`, in a checkout and in the published package. Plain JavaScript for any Node, so that an old one gets
// a clear message: the service itself runs under the Node from npm, which is newer than most that are installed.
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const folder = dirname(fileURLToPath(import.meta.url));
const isCheckout = existsSync(join(folder, "main.ts"));
const extension = isCheckout ? "ts" : "js";
/** The engines of the package, or the Node that scripts/run.mjs takes. */
const MAJOR_MIN = isCheckout ? 20 : 22;
const { version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));

if (Number.parseInt(process.versions.node, 10) < MAJOR_MIN)
  fail(
    `Avow ${version} needs Node ${MAJOR_MIN} or newer, and this is Node ${process.versions.node} (${process.execPath}). Install one from https://nodejs.org.`,
  );
const { nodePackage, readSettings, runProgram, verifyNode } = await import("./node-program.mjs");
const { serviceFlags } = await import("./service-flags.mjs");
const [first, ...rest] = process.argv.slice(2);
const [file, flags, args] =
  first === undefined || first === "start"
    ? ["main", serviceFlags, rest]
    : first === "demo"
      ? ["../lab/demo/main", [], rest]
      : ["commands/avow", [], [first, ...rest]];
const program = await findNode();
process.exitCode = await runProgram(
  program,
  [...flags, join(folder, `${file}.${extension}`), ...args],
  { env: { ...readSettings(process.cwd()), ...process.env } },
);

/** The verified Node program from npm. */
async function findNode() {
  try {
    const manifest = createRequire(import.meta.url).resolve(`${nodePackage}/package.json`);
    const node = join(dirname(manifest), "bin/node");
    await verifyNode(node, join(dirname(manifest), "../.avow-node"));
    return node;
  } catch (error) {
    if (error.code !== "MODULE_NOT_FOUND") fail(error.message);
    return fail(
      `npm did not install ${nodePackage}, the Node program that Avow ${version} runs under. Avow runs on Linux and macOS, x64 and arm64; npm must not omit optional packages.`,
    );
  }
}

function fail(message) {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}

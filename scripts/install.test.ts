import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";

/** Replaces npm: records its arguments, and the packages that it would have installed. */
const npm = `
const { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } = require("node:fs");
const args = process.argv.slice(2);
appendFileSync("npm.log", args.filter((arg) => !/audit|fund|loglevel|optional/.test(arg)).join(" ") + "\\n");
if (existsSync("stale-cache") && args.includes("--prefer-offline")) process.exit(1);
const platform = process.platform + "-" + process.arch;
const folder = "node_modules/node-" + (platform === "darwin-arm64" ? "bin-" : "") + platform + "/bin";
mkdirSync(folder, { recursive: true });
writeFileSync(folder + "/node", "");
const { packages } = JSON.parse(readFileSync("package-lock.json", "utf8"));
const installed = Object.entries(packages).filter(([, { dev }]) => !dev || args.includes("--include=dev"));
writeFileSync("node_modules/.package-lock.json", JSON.stringify({ packages: Object.fromEntries(installed) }));
`;

function openCheckout(t: TestContext) {
  const root = mkdtempSync(join(tmpdir(), "avow-install-"));
  t.after(() => rmSync(root, { recursive: true }));
  writeFileSync(join(root, "npm.js"), npm);
  const writeLock = (version: string): void => {
    const packages = {
      "node_modules/fastify": { version },
      "node_modules/axe": { version, dev: true },
    };
    writeFileSync(join(root, "package-lock.json"), JSON.stringify({ packages }));
  };
  writeLock("1.0.0");
  writeFileSync(join(root, "npm.log"), "");
  /** Installs missing packages; returns the runs of npm. */
  const install = (withDev: boolean): string[] => {
    writeFileSync(join(root, "npm.log"), "");
    const module = JSON.stringify(new URL("install.mjs", import.meta.url).href);
    const program = `
      const { install, isInstalled } = await import(${module});
      const root = ${JSON.stringify(root)};
      if (!isInstalled(root, ${withDev})) await install(root, ${withDev});`;
    const { status, stderr } = spawnSync(
      process.execPath,
      ["--input-type=module", "--eval", program],
      { env: { ...process.env, npm_execpath: join(root, "npm.js") }, encoding: "utf8" },
    );
    assert.equal(status, 0, stderr);
    return readFileSync(join(root, "npm.log"), "utf8").split("\n").filter(Boolean);
  };
  return { root, install, writeLock };
}

test("installs the packages of the service, and adds the rest for tests", (t) => {
  const { install } = openCheckout(t);
  assert.deepEqual(install(false), ["ci --omit=dev --prefer-offline"]);
  assert.deepEqual(install(false), []);
  assert.deepEqual(install(true), ["install --no-save --include=dev --prefer-offline"]);
  assert.deepEqual(install(true), []);
  assert.deepEqual(install(false), []);
});

test("keeps the scope of an installation after a change of the lock file", (t) => {
  const { install, writeLock } = openCheckout(t);
  install(false);
  writeLock("1.0.1");
  assert.deepEqual(install(false), ["ci --omit=dev --prefer-offline"]);
  install(true);
  writeLock("1.0.2");
  assert.deepEqual(install(false), ["ci --include=dev --prefer-offline"]);
});

test("asks the registry when npm's cache is outdated", (t) => {
  const { root, install } = openCheckout(t);
  writeFileSync(join(root, "stale-cache"), "");
  assert.deepEqual(install(false), ["ci --omit=dev --prefer-offline", "ci --omit=dev"]);
});

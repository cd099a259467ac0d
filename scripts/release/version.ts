// Run by `npm version`, between its change of the version and its commit: gives the version to all packages, the chart,
// the changelog and the OpenAPI document, and stages them.
import { execFileSync } from "node:child_process";
import { globSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import workspace from "../../package.json" with { type: "json" };
import { root } from "./places.ts";

const { version } = workspace;

for (const file of globSync("packages/*/package.json", { cwd: root }))
  edit(file, (text) => {
    const manifest = JSON.parse(text) as { version: string; dependencies?: Record<string, string> };
    manifest.version = version;
    for (const name of Object.keys(manifest.dependencies ?? {}))
      if (manifest.dependencies && name.startsWith("@avow/")) manifest.dependencies[name] = version;
    return `${JSON.stringify(manifest, null, 2)}\n`;
  });
edit("deploy/helm/avow/Chart.yaml", (text) =>
  text.replaceAll(/^(version|appVersion): .*$/gm, `$1: ${version}`),
);
edit("CHANGELOG.md", (text) => {
  const today = new Date().toISOString().slice(0, "2026-01-31".length);
  return text.replace(/^## Unreleased$/m, `## Unreleased\n\n## ${version} - ${today}`);
});
run("npm", "install", "--package-lock-only", "--ignore-scripts", "--no-audit", "--no-fund");
run("npm", "run", "openapi");
run("git", "add", "--update");

function edit(file: string, change: (text: string) => string): void {
  const path = join(root, file);
  writeFileSync(path, change(readFileSync(path, "utf8")));
}

function run(program: string, ...args: string[]): void {
  execFileSync(program, args, { cwd: root, stdio: "inherit" });
}

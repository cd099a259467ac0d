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
    const manifest = JSON.parse(text) as Record<string, Record<string, string>>;
    for (const field of ["dependencies", "devDependencies"])
      for (const name of Object.keys(manifest[field] ?? {}))
        if (manifest[field] && name.startsWith("@avow/")) manifest[field][name] = version;
    return `${JSON.stringify({ ...manifest, version }, null, 2)}\n`;
  });
edit("deploy/helm/avow/Chart.yaml", (text) =>
  text.replaceAll(/^(version|appVersion): .*$/gm, `$1: ${version}`),
);
edit("CHANGELOG.md", (text) => {
  const today = new Date().toISOString().slice(0, "2026-01-31".length);
  return text.replace(/^## Unreleased$/m, `## Unreleased\n\n## ${version} - ${today}`);
});
run("npm", "install", "--package-lock-only", "--ignore-scripts", "--loglevel=error");
run("npm", "run", "openapi");
run("git", "add", "--update");

function edit(file: string, change: (text: string) => string): void {
  const path = join(root, file);
  writeFileSync(path, change(readFileSync(path, "utf8")));
}

function run(program: string, ...args: string[]): void {
  execFileSync(program, args, { cwd: root, stdio: "inherit" });
}

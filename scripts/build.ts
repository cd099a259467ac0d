// npm run build: the service as plain JavaScript in dist/, a package that is fit to publish.
import { spawnSync } from "node:child_process";
import { chmodSync, cpSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import manifest from "../package.json" with { type: "json" };
import { buildWidgetPackage } from "./widget-package.ts";

const root = join(import.meta.dirname, "..");
const dist = join(root, "dist");
const launcher = "avow.js";

rmSync(dist, { recursive: true, force: true });
const compiler = join(root, "node_modules", "typescript", "bin", "tsc");
const { status } = spawnSync(process.execPath, [compiler, "-p", "tsconfig.build.json"], {
  cwd: root,
  stdio: "inherit",
});
if (status !== 0) process.exit(status ?? 1);
cpSync(join(root, "server"), join(dist, "server"), {
  recursive: true,
  filter: (file) => !file.endsWith(".ts"),
});
cpSync(join(root, "verifier", "page.html"), join(dist, "verifier", "page.html"));
for (const part of ["widget", "admin"])
  cpSync(join(root, part, "built"), join(dist, part, "built"), { recursive: true });
// The verifier is a package of its own, which others may take out of this one.
const verifier = readFileSync(join(root, "verifier", "package.json"), "utf8");
writeFileSync(join(dist, "verifier", "package.json"), verifier.replaceAll('.ts"', '.js"'));
cpSync(join(root, "verifier", "README.md"), join(dist, "verifier", "README.md"));
cpSync(join(root, "scripts", "avow.mjs"), join(dist, launcher));
chmodSync(join(dist, launcher), 0o755);
for (const name of ["README.md", "LICENSE", "CHANGELOG.md"])
  cpSync(join(root, name), join(dist, name));
writeFileSync(join(dist, "package.json"), `${JSON.stringify(toPublished(), null, 2)}\n`);
await buildWidgetPackage(join(dist, "avow-widget"));
console.log(`Built dist/. Run it: ${relative(process.cwd(), process.execPath)} dist/${launcher}`);

/** The published package: what the service runs on, and the Node that it needs instead of one of its own. */
function toPublished() {
  const { name, version, description, keywords, license, type, dependencies } = manifest;
  const { node, ...runtime } = dependencies;
  const [major] = node.split(".");
  return {
    name,
    version,
    description,
    keywords,
    license,
    type,
    bin: { avow: launcher },
    files: [launcher, "server", "cli", "verifier", "widget", "admin", "CHANGELOG.md"],
    engines: { node: `>=${major}` },
    dependencies: runtime,
  };
}

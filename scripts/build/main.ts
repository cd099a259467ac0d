// npm run build: makes the packages that are published, each as a folder of dist/ and as a file for npm in dist/packed.
import { spawnSync } from "node:child_process";
import { mkdirSync, rmSync } from "node:fs";
import { join, relative } from "node:path";

import { buildLibrary, libraries } from "./library.ts";
import { compiled, dist, root } from "./places.ts";
import { buildFramework, frameworks } from "./framework.ts";
import { packAll } from "./pack.ts";
import { buildService } from "./service.ts";
import { buildWidget } from "./widget.ts";

rmSync(dist, { recursive: true, force: true });
mkdirSync(dist);
const compiler = join(root, "node_modules/typescript/bin/tsc");
const { status } = spawnSync(process.execPath, [compiler, "-p", "tsconfig.build.json"], {
  cwd: root,
  stdio: "inherit",
});
if (status !== 0) process.exit(status ?? 1);
await buildService(join(dist, "avow"));
for (const name of libraries) buildLibrary(name, join(dist, name));
await buildWidget(join(dist, "widget"));
for (const name of frameworks) buildFramework(name, join(dist, name));
rmSync(compiled, { recursive: true });
const packed = packAll(["avow", ...libraries, "widget", ...frameworks]);
const width = Math.max(...packed.map(({ file }) => file.length));
for (const { file, bytes, files } of packed)
  console.log(
    `  ${file.padEnd(width)}  ${`${Math.ceil(bytes / 1024).toLocaleString("en")} KiB`.padStart(10)}  ${files} files`,
  );
console.log(`In ${relative(process.cwd(), join(dist, "packed"))}/. Install one: npm install FILE`);

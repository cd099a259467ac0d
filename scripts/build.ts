// npm run build: the service as plain JavaScript in dist/, with the files that it reads.
import { spawnSync } from "node:child_process";
import { cpSync, rmSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "..");
const dist = join(root, "dist");

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
cpSync(join(root, "package.json"), join(dist, "package.json"));
console.log("Built: node dist/server/main.js");

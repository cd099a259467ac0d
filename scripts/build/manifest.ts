import { cpSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { JsonObject } from "@avow/contract/json";
import workspace from "../../package.json" with { type: "json" };
import { packages, root } from "./places.ts";

/** An entry point of a package, as compiled. */
interface EntryPoint {
  types: string;
  default: string;
}

/** The manifest of a package. */
export interface Manifest extends JsonObject {
  name: string;
  version: string;
  exports?: Record<string, string | EntryPoint>;
  dependencies?: Record<string, string>;
  /** Patterns, as npm takes them. */
  files?: string[];
}

/** Reads the manifest of a package of the workspace. */
export function readManifest(name: string): Manifest {
  return JSON.parse(readFileSync(join(packages, name, "package.json"), "utf8")) as Manifest;
}

/**
 * Writes the manifest of a published package, and the files that each has beside it: README, licence and changelog.
 * `files` are the rest of the package, as npm's field takes them.
 */
export function writePackage(folder: string, name: string, manifest: Manifest): void {
  const { private: _, devDependencies: __, files = [], ...published } = manifest;
  const { repository, homepage, bugs } = workspace as JsonObject;
  writeJson(join(folder, "package.json"), {
    engines: { node: ">=22" },
    ...published,
    files: [...files, "CHANGELOG.md"],
    ...(repository === undefined ? {} : { repository, homepage, bugs }),
    // npm compares the provenance with the repository.
    publishConfig: { access: "public", ...(repository !== undefined && { provenance: true }) },
  });
  const own = join(packages, name);
  writeFileSync(
    join(folder, "README.md"),
    toPublishedReadme(readFileSync(join(own, "README.md"), "utf8")),
  );
  cpSync(join(root, "LICENSE"), join(folder, "LICENSE"));
  const changelog = join(own, "CHANGELOG.md");
  cpSync(
    existsSync(changelog) ? changelog : join(root, "CHANGELOG.md"),
    join(folder, "CHANGELOG.md"),
  );
}

/** Without the part for readers of the code, and without links to files that only the repository has. */
function toPublishedReadme(text: string): string {
  const [published = ""] = text.split("\n## Reading the code\n");
  return `${published.replaceAll(/\[([^\]]+)\]\((?!https?:|#)[^)]+\)/g, "$1").trim()}\n`;
}

function writeJson(file: string, value: unknown): void {
  writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`);
}

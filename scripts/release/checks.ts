import { execFileSync } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./places.ts";

/** A reason why there can be no release, for the one who makes it. */
export class ReleaseError extends Error {
  override name = "ReleaseError";
}

/** The version that all packages have. @throws ReleaseError if they differ */
export function readVersion(): string {
  const versions = new Map(
    globSync("packages/*/package.json", { cwd: root }).map((file) => {
      const { name, version } = JSON.parse(readFileSync(join(root, file), "utf8"));
      return [name as string, version as string];
    }),
  );
  const [version = "", ...others] = new Set(versions.values());
  if (others.length === 0) return version;
  const list = [...versions].map(([name, one]) => `  ${name} ${one}`).join("\n");
  throw new ReleaseError(`The packages have different versions:\n${list}`);
}

/** @throws ReleaseError if the checkout has changes */
export function assertReleasable(): void {
  const changes = git("status", "--porcelain");
  if (changes !== "") throw new ReleaseError(`Commit these changes first:\n${changes}`);
}

/** Whether the tag exists in this checkout. */
export function tagExists(tag: string): boolean {
  return git("tag", "--list", tag) !== "";
}

function git(...args: string[]): string {
  return execFileSync("git", args, { cwd: root, encoding: "utf8" }).trimEnd();
}

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ReleaseError } from "./checks.ts";
import { root } from "./places.ts";

/** The part of the changelog about a version, in Markdown. @throws ReleaseError if there is none */
export function readNotes(version: string): string {
  const text = readFileSync(join(root, "CHANGELOG.md"), "utf8");
  const part = text
    .split(/^(?=## )/m)
    .find((one) => one.startsWith(`## ${version}\n`) || one.startsWith(`## ${version} `));
  if (part === undefined)
    throw new ReleaseError(
      `CHANGELOG.md has no section ${version}. Run npm version first (docs/guides/release.md).`,
    );
  return part.replace(/^## /, "# Avow ");
}

import { execFileSync } from "node:child_process";
import { copyFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ReleaseError } from "./checks.ts";
import { release, root } from "./places.ts";

const OUTPUT_MAX = 64 * 1024 * 1024;

/** Something that a release publishes. `make` returns the reason if this machine cannot make it. */
interface Artifact {
  title: string;
  make: (version: string) => string | undefined | Promise<string | undefined>;
}

/** All that a release consists of, beside its notes and checksums. */
export const artifacts: readonly Artifact[] = [
  {
    title: "packages for npm",
    make() {
      run("npm", "run", "--silent", "build");
      const packed = join(root, "dist/packed");
      for (const name of readdirSync(packed)) copyFileSync(join(packed, name), join(release, name));
      return undefined;
    },
  },
  {
    title: "bill of materials (CycloneDX)",
    make(version) {
      const args = ["sbom", "--sbom-format", "cyclonedx", "--omit", "dev", "--package-lock-only"];
      const text = execFileSync("npm", args, {
        cwd: root,
        encoding: "utf8",
        maxBuffer: OUTPUT_MAX,
      });
      writeFileSync(join(release, `avow-${version}.cdx.json`), text);
      return undefined;
    },
  },
  {
    title: "documentation site",
    make(version) {
      run("npm", "run", "--silent", "docs");
      const file = join(release, `avow-docs-${version}.tar.gz`);
      run("tar", "--create", "--gzip", "--file", file, "--directory", join(root, "dist-docs"), ".");
      return undefined;
    },
  },
];

/** Runs a program of the checkout. @throws ReleaseError with its output if it fails */
function run(program: string, ...args: string[]): void {
  try {
    execFileSync(program, args, { cwd: root, stdio: "pipe", maxBuffer: OUTPUT_MAX });
  } catch (error) {
    const { stdout = "", stderr = "" } = error as { stdout?: Buffer; stderr?: Buffer };
    throw new ReleaseError(
      `${program} ${args.join(" ")} failed.\n${String(stdout)}${String(stderr)}`,
    );
  }
}

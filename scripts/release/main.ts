// npm run release: makes everything that a release publishes, in dist-release. Publishing is left to the owner: the
// commands are printed at the end.
import { createHash } from "node:crypto";
import { createReadStream, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { parseArgs } from "node:util";
import { artifacts } from "./artifacts.ts";
import { ReleaseError, assertReleasable, readVersion, tagExists } from "./checks.ts";
import { readNotes } from "./notes.ts";
import { release } from "./places.ts";

const help = `Usage: npm run release -- --dry-run [--allow-dirty]

Makes everything that a release publishes in dist-release: packages for npm, container images, the Helm chart, the
documentation site, the bill of materials, the release notes and their checksums. Publishes nothing, and prints the
commands that do.

  --dry-run       required: there is no other mode, publishing is the owner's act
  --allow-dirty   also from a checkout with changes that are not committed
  -h, --help      print this text

Set the version first: npm version minor --sign-git-tag (docs/guides/release.md).
`;

process.exitCode = await main(process.argv.slice(2));

async function main(args: string[]): Promise<number> {
  try {
    const { values } = parseArgs({
      args,
      options: {
        "dry-run": { type: "boolean" },
        "allow-dirty": { type: "boolean" },
        help: { type: "boolean", short: "h" },
      },
    });
    if (values.help === true || values["dry-run"] !== true) {
      process.stdout.write(help);
      return values.help === true ? 0 : 2;
    }
    const version = readVersion();
    const notes = readNotes(version);
    if (values["allow-dirty"] !== true) assertReleasable();
    rmSync(release, { recursive: true, force: true });
    mkdirSync(release, { recursive: true });
    const skipped: string[] = [];
    for (const { title, make } of artifacts) {
      const startedAt = performance.now();
      process.stdout.write(`  ${title} …\n`);
      const reason = await make(version);
      if (reason !== undefined) skipped.push(`${title}: ${reason}`);
      else process.stdout.write(`    ${((performance.now() - startedAt) / 1000).toFixed(1)} s\n`);
    }
    writeFileSync(join(release, "RELEASE-NOTES.md"), notes);
    await writeChecksums();
    report(version, skipped);
    return skipped.length === 0 ? 0 : 1;
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    process.stderr.write(`${error.message}\n`);
    return error instanceof ReleaseError ? 1 : 2;
  }
}

/** Writes SHA256SUMS, as `sha256sum --check` reads it. */
async function writeChecksums(): Promise<void> {
  const lines: string[] = [];
  for (const name of readdirSync(release).toSorted()) {
    const hash = createHash("sha256");
    for await (const chunk of createReadStream(join(release, name))) hash.update(chunk as Buffer);
    lines.push(`${hash.digest("hex")}  ${name}\n`);
  }
  writeFileSync(join(release, "SHA256SUMS"), lines.join(""));
}

function report(version: string, skipped: readonly string[]): void {
  const folder = relative(process.cwd(), release);
  const tag = `v${version}`;
  const next = [
    ...(tagExists(tag)
      ? []
      : [`git tag --sign ${tag} --message "Avow ${version}" && git push origin ${tag}`]),
    `gpg --detach-sign --armor ${folder}/SHA256SUMS`,
    `for file in ${folder}/avow-*.tgz; do npm publish "$file"; done`,
    `for image in avow avow-embedded; do podman push localhost/$image:${version} REGISTRY/$image:${version}; done`,
    `helm push ${folder}/chart-avow-${version}.tgz oci://REGISTRY/charts`,
  ];
  process.stdout.write(
    `\nAvow ${version} is in ${folder}/, and nothing was published.\n${skipped.map((line) => `  ✗ not made: ${line}\n`).join("")}\nNext:\n${next.map((line) => `  ${line}\n`).join("")}`,
  );
}

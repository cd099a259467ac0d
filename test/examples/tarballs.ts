import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { buildFramework, frameworks } from "../../scripts/build/framework.ts";
import { buildWidget } from "../../scripts/build/widget.ts";
import { keepOpen } from "../resources.ts";

const run = promisify(execFile);

/** The files of packages for npm, by the packages' names. */
export type Tarballs = Readonly<Record<string, string>>;

let packed: Promise<Tarballs> | undefined;

/** Packs `@avow/widget` and the packages for frameworks, once for all tests of a worker. */
export function packTarballs(): Promise<Tarballs> {
  packed ??= pack();
  return packed;
}

async function pack(): Promise<Tarballs> {
  const folder = await mkdtemp(join(tmpdir(), "avow-tarballs-"));
  keepOpen({ [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }) });
  await mkdir(join(folder, "widget"));
  await buildWidget(join(folder, "widget"));
  for (const name of frameworks) buildFramework(name, join(folder, name));
  const tarballs: Record<string, string> = {};
  for (const name of ["widget", ...frameworks]) {
    const { stdout } = await run("npm", ["pack", "--json", "--pack-destination", folder], {
      cwd: join(folder, name),
      timeout: 60_000,
    });
    const [report] = JSON.parse(stdout) as { name: string; filename: string }[];
    if (!report) throw new Error(`npm packed nothing of ${name}.`);
    tarballs[report.name] = join(folder, report.filename);
  }
  return tarballs;
}

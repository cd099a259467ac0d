import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { execFile } from "node:child_process";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { buildFramework } from "../../scripts/build/framework.ts";
import { buildWidget } from "../../scripts/build/widget.ts";
import { keepOpen } from "../resources.ts";

const run = promisify(execFile);

/** The files of packages for npm, by the packages' names. */
export type Tarballs = Readonly<Record<string, string>>;

let packed: Promise<Tarballs> | undefined;

/** Packs `@avow/widget` and `@avow/vue`, once for all tests of a worker. */
export function packTarballs(): Promise<Tarballs> {
  packed ??= pack();
  return packed;
}

async function pack(): Promise<Tarballs> {
  const folder = await mkdtemp(join(tmpdir(), "avow-tarballs-"));
  keepOpen({ [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }) });
  const widget = join(folder, "widget");
  const vue = join(folder, "vue");
  await mkdir(widget);
  await buildWidget(widget);
  buildFramework("vue", vue);
  const tarballs: Record<string, string> = {};
  for (const path of [widget, vue]) {
    const { stdout } = await run("npm", ["pack", "--json", "--pack-destination", folder], {
      cwd: path,
      timeout: 60_000,
    });
    const [report] = JSON.parse(stdout) as { name: string; filename: string }[];
    if (!report) throw new Error(`npm packed nothing of ${path}.`);
    tarballs[report.name] = join(folder, report.filename);
  }
  return tarballs;
}

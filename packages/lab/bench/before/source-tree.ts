import { execFileSync } from "node:child_process";
import { cp, mkdir, readdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import { root } from "../../instance/service.ts";

const modules = join(root, "node_modules");
const paths = ["packages", "package.json", "package-lock.json"];

export interface TreeOptions {
  /** A commit of this repository; default: the files of this checkout. */
  commit?: string;
  /** Folders of dependencies by name, in place of those of this checkout. */
  instead?: Readonly<Record<string, string>>;
}

/** Whether the checkout has a commit: a shallow one has no earlier commits. */
export function hasCommit(commit: string): boolean {
  try {
    execFileSync("git", ["cat-file", "-e", `${commit}^{commit}`], { cwd: root, stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

/** Copies the sources into the new folder `folder`, to run with other dependencies, or those of another version. */
export async function copySources(
  folder: string,
  { commit, instead = {} }: TreeOptions,
): Promise<void> {
  await mkdir(folder);
  if (commit === undefined)
    for (const name of paths) await cp(join(root, name), join(folder, name), { recursive: true });
  else {
    const archive = execFileSync("git", ["archive", commit, ...paths], {
      cwd: root,
      maxBuffer: 256 * 1024 * 1024,
    });
    execFileSync("tar", ["-x", "-C", folder], { input: archive });
  }
  await linkModules(join(folder, "node_modules"), instead);
}

/** Links all dependencies. The packages of the workspace are links relative to their folder, which are copied. */
async function linkModules(
  folder: string,
  instead: Readonly<Record<string, string>>,
): Promise<void> {
  await mkdir(folder);
  for (const name of await readdir(modules)) {
    if (name === "@avow" || name === "avow")
      await cp(join(modules, name), join(folder, name), {
        recursive: true,
        verbatimSymlinks: true,
      });
    else if (!Object.keys(instead).some((one) => one.startsWith(`${name}/`)))
      await symlink(join(modules, name), join(folder, name));
  }
  for (const [name, target] of Object.entries(instead)) {
    await mkdir(join(folder, name, ".."), { recursive: true });
    await symlink(target, join(folder, name));
  }
}

import { randomUUID } from "node:crypto";
import { mkdir, readFile, readdir, rename, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";

/** Reads files by name. Returns undefined when the folder is missing, or another process removes it. */
export async function readBuild(folder: string): Promise<ReadonlyMap<string, Buffer> | undefined> {
  try {
    const names = await readdir(folder);
    const files = await Promise.all(
      names.map(async (name) => [name, await readFile(join(folder, name))] as const),
    );
    return new Map(files);
  } catch (error) {
    if (toCode(error) === "ENOENT") return undefined;
    throw error;
  }
}

/**
 * Saves a build to `folder`, `PACKAGE-HASH`, in one step, and removes older builds of the package.
 */
export async function keepBuild(
  folder: string,
  files: ReadonlyMap<string, string | Uint8Array>,
): Promise<void> {
  const cache = dirname(folder);
  const part = join(cache, `part-${randomUUID()}`);
  try {
    await mkdir(part, { recursive: true });
    for (const [file, content] of files) await writeFile(join(part, file), content);
    await rename(part, folder);
  } catch (error) {
    await rm(part, { recursive: true, force: true });
    // Another process saved the same files first.
    if (["EEXIST", "ENOTEMPTY"].includes(toCode(error))) return;
    throw error;
  }
  const [name = ""] = basename(folder).split("-");
  for (const other of await readdir(cache))
    if (other.startsWith(`${name}-`) && other !== basename(folder))
      await removeBuild(join(cache, other));
}

/** Renames the folder before removing it, so that no process reads a part of a build. */
async function removeBuild(folder: string): Promise<void> {
  const part = join(dirname(folder), `part-${randomUUID()}`);
  try {
    await rename(folder, part);
  } catch (error) {
    // Another process removes it.
    if (toCode(error) === "ENOENT") return;
    throw error;
  }
  await rm(part, { recursive: true });
}

/** Whether the file system refused a write. */
export function isUnwritable(error: unknown): boolean {
  return ["EACCES", "EPERM", "EROFS", "ENOSPC", "EDQUOT"].includes(toCode(error));
}

function toCode(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? "";
}

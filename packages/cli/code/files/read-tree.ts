import { constants } from "node:fs";
import { type FileHandle, open, opendir } from "node:fs/promises";
import { join } from "node:path";
import { CommandError, codeOf } from "../../terminal/errors.ts";
import type { FileFault } from "./faults.ts";

/** Limits of a tree, far beyond what a project can have (1,000 configurations of 1 MiB). */
const FILES_MAX = 5_000;
const FILE_BYTES_MAX = 1024 * 1024;
const TREE_BYTES_MAX = 64 * 1024 * 1024;
const DEPTH_MAX = 4;
/** Files beside configuration that repositories have. */
const ignored = /^([._].*|node_modules|.*\.md|package(-lock)?\.json|tsconfig\.json)$/i;
const isIgnored = (name: string): boolean => ignored.test(name);

export class MissingTreeError extends CommandError {
  override name = "MissingTreeError";
}

/** A file of a tree, with its path relative to the tree, separated by `/`. */
export interface SourceFile {
  path: string;
  text: string;
}

/**
 * Reads the files of a tree in the order of their paths. Symbolic links are not followed, and only plain files are read.
 * @throws CommandError for an unreadable or too large tree
 */
export async function readTree(
  root: string,
): Promise<{ files: SourceFile[]; faults: FileFault[] }> {
  const files: SourceFile[] = [];
  const faults: FileFault[] = [];
  let bytes = 0;
  const readFolder = async (folder: string, depth: number): Promise<void> => {
    for (const { name, kind } of await listFolder(root, folder)) {
      const path = folder === "" ? name : `${folder}/${name}`;
      if (isIgnored(name)) continue;
      if (kind === "folder" && depth < DEPTH_MAX) await readFolder(path, depth + 1);
      else if (kind === "file") {
        const text = await readText(root, path, faults);
        if (text === undefined) continue;
        bytes += text.length;
        files.push({ path, text });
        if (files.length > FILES_MAX) throw new CommandError(`More than ${FILES_MAX} files.`);
        if (bytes > TREE_BYTES_MAX)
          throw new CommandError(`More than ${TREE_BYTES_MAX / 1024 / 1024} MiB of files.`);
      } else
        faults.push({
          file: path,
          message:
            kind === "link"
              ? "is a symbolic link, which is not followed. Replace it by the file."
              : kind === "folder"
                ? "is nested too deeply."
                : "is not a file.",
        });
    }
  };
  await readFolder("", 0);
  return { files, faults };
}

interface Entry {
  name: string;
  kind: "file" | "folder" | "link" | "other";
}

async function listFolder(root: string, folder: string): Promise<Entry[]> {
  const entries: Entry[] = [];
  try {
    for await (const entry of await opendir(join(root, folder))) {
      const kind = entry.isSymbolicLink()
        ? "link"
        : entry.isDirectory()
          ? "folder"
          : entry.isFile()
            ? "file"
            : "other";
      entries.push({ name: entry.name, kind });
      if (entries.length > FILES_MAX) throw new CommandError(`More than ${FILES_MAX} files.`);
    }
  } catch (error) {
    if (codeOf(error) === "ENOENT") throw new MissingTreeError(`There is no folder ${root}.`);
    if (codeOf(error) === "ENOTDIR") throw new CommandError(`${root} is no folder.`);
    throw error;
  }
  return entries.toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/** The text of a file, which may have been replaced since its folder was listed. */
async function readText(
  root: string,
  path: string,
  faults: FileFault[],
): Promise<string | undefined> {
  // Without O_NONBLOCK, opening a named pipe waits for its writer.
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  let file: FileHandle | undefined;
  try {
    file = await open(join(root, path), flags);
    const { size } = await file.stat();
    if (size > FILE_BYTES_MAX) {
      faults.push({ file: path, message: `is larger than ${FILE_BYTES_MAX / 1024 / 1024} MiB.` });
      return undefined;
    }
    return new TextDecoder("utf-8", { fatal: true }).decode(await file.readFile());
  } catch (error) {
    const message =
      error instanceof TypeError ? "is not UTF-8." : `cannot be read (${codeOf(error)}).`;
    faults.push({ file: path, message });
    return undefined;
  } finally {
    await file?.close();
  }
}

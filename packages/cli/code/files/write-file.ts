import { constants } from "node:fs";
import { lstat, mkdir, open } from "node:fs/promises";
import { join } from "node:path";
import { CommandError, codeOf } from "../../terminal/errors.ts";

const SLUG_LENGTH_MAX = 80;

/**
 * Writes a file of a tree. Neither its folders nor the file itself may be symbolic links, so that it stays in the tree.
 * @throws CommandError
 */
export async function writeFileInside(root: string, path: string, text: string): Promise<void> {
  const folders = path.split("/").slice(0, -1);
  await mkdir(root, { recursive: true });
  for (const [at] of folders.entries()) {
    const folder = join(root, ...folders.slice(0, at + 1));
    await mkdir(folder).catch((error: unknown) => {
      if (codeOf(error) !== "EEXIST") throw error;
    });
    if (!(await lstat(folder)).isDirectory())
      throw new CommandError(`${folder} is no folder. Symbolic links are not followed.`);
  }
  const { O_WRONLY, O_CREAT, O_TRUNC, O_NOFOLLOW } = constants;
  const file = join(root, path);
  const handle = await open(file, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW, 0o644).catch(
    (error: unknown) => {
      if (codeOf(error) === "ELOOP")
        throw new CommandError(`${file} is a symbolic link, which is not followed.`);
      throw error;
    },
  );
  try {
    await handle.writeFile(text);
  } finally {
    await handle.close();
  }
}

/** A name as the name of a file: lower-case letters, digits and hyphens. */
export function toFileName(name: string): string {
  const plain = name
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+/, "")
    .slice(0, SLUG_LENGTH_MAX)
    .replace(/-+$/, "");
  return plain || "unnamed";
}

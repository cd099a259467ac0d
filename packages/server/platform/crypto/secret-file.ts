import { randomBytes } from "node:crypto";
import { link, mkdir, open, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { codeOf } from "../errors.ts";
import { StartError } from "../start-error.ts";

interface SecretFile {
  dataDir: string;
  name: string;
  /** Creates the content of a new file. */
  make: () => string | Uint8Array;
  /** The setting that replaces the file. */
  setting: string;
}

/**
 * Reads a secret of the data folder, which the first start creates. Concurrent starts in one folder read the same
 * secret.
 * @throws StartError when it cannot be created
 */
export async function openSecretFile({
  dataDir,
  name,
  make,
  setting,
}: SecretFile): Promise<Buffer> {
  const path = join(dataDir, name);
  const found = await findSecretFile({ dataDir, name });
  if (found) return found;
  try {
    await createFile(dataDir, path, make());
  } catch (error) {
    throw new StartError(`${path} cannot be created (${codeOf(error)}). Set ${setting} instead.`, {
      cause: error,
    });
  }
  return readFile(path);
}

/** Replaces a secret of the data folder atomically. */
export async function replaceSecretFile({
  dataDir,
  name,
  content,
}: Pick<SecretFile, "dataDir" | "name"> & { content: string }): Promise<void> {
  await withFreshFile(join(dataDir, name), content, (fresh, path) => rename(fresh, path));
  await syncFolder(dataDir);
}

/** Reads a secret of the data folder; undefined if there is no such file. */
export async function findSecretFile({
  dataDir,
  name,
}: Pick<SecretFile, "dataDir" | "name">): Promise<Buffer | undefined> {
  try {
    return await readFile(join(dataDir, name));
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  }
}

/** Syncs a temporary file and links it, so that the file is complete and the first one stays. */
async function createFile(
  dataDir: string,
  path: string,
  content: string | Uint8Array,
): Promise<void> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  try {
    await withFreshFile(path, content, link);
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw error;
  }
  await syncFolder(dataDir);
}

/** Writes and syncs a temporary file beside `path`, which `place` then moves or links there. */
async function withFreshFile(
  path: string,
  content: string | Uint8Array,
  place: (fresh: string, path: string) => Promise<void>,
): Promise<void> {
  const fresh = `${path}.${randomBytes(6).toString("hex")}.tmp`;
  try {
    await using file = await open(fresh, "wx", 0o600);
    await file.writeFile(content);
    await file.sync();
    await place(fresh, path);
  } finally {
    await rm(fresh, { force: true });
  }
}

async function syncFolder(path: string): Promise<void> {
  await using folder = await open(path);
  await folder.sync();
}

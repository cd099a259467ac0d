import { randomBytes } from "node:crypto";
import { link, mkdir, open, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { StartError } from "./start-error.ts";

const FILE = "secret.key";
const BYTES = 32;

/**
 * The secret that keys are derived from, for what a dump of the database alone must not tell: the
 * setting SECRET_KEY, or 32 random bytes in `dataDir/secret.key`, which the first start makes. Of
 * several that start at once in one folder one makes it, and all read the same.
 *
 * @throws StartError for a file that is not such a secret, or a folder where none can be made
 */
export async function openSecretKey({
  dataDir,
  secretKey,
}: {
  dataDir: string;
  secretKey: string | undefined;
}): Promise<Buffer> {
  if (secretKey !== undefined) return Buffer.from(secretKey);
  const path = join(dataDir, FILE);
  const secret = (await findSecret(path)) ?? (await createSecret(dataDir, path));
  if (secret.length === BYTES) return secret;
  throw new StartError(
    `${path} has to hold ${BYTES} bytes and holds ${secret.length}. Restore it, or remove it: a new one is made, and addresses that accounts signed in from are forgotten.`,
  );
}

async function findSecret(path: string): Promise<Buffer | undefined> {
  try {
    return await readFile(path);
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  }
}

/** Made beside its place and synced, so that it is whole or not there; linked, so that the first one stays. */
async function createSecret(dataDir: string, path: string): Promise<Buffer> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const fresh = `${path}.${randomBytes(6).toString("hex")}.tmp`;
  try {
    const file = await open(fresh, "wx", 0o600);
    try {
      await file.writeFile(randomBytes(BYTES));
      await file.sync();
    } finally {
      await file.close();
    }
    await link(fresh, path);
  } catch (error) {
    if (codeOf(error) !== "EEXIST") {
      throw new StartError(`${path} cannot be made (${codeOf(error)}). Set SECRET_KEY instead.`, {
        cause: error,
      });
    }
  } finally {
    await rm(fresh, { force: true });
  }
  await using folder = await open(dataDir);
  await folder.sync();
  return readFile(path);
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : String(error);
}

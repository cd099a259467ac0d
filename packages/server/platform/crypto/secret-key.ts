import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { openSecretFile } from "./secret-file.ts";
import { StartError } from "../start-error.ts";

const FILE = "secret.key";
const BYTES = 32;

/**
 * The secret that keys are derived from, so that a database dump alone reveals nothing encrypted: the setting
 * SECRET_KEY, or 32 random bytes in `dataDir/secret.key`, which the first start creates.
 *
 * @throws StartError for an invalid file, or when it cannot be created
 */
export async function openSecretKey({
  dataDir,
  secretKey,
}: {
  dataDir: string;
  secretKey: string | undefined;
}): Promise<Buffer> {
  if (secretKey !== undefined) return Buffer.from(secretKey);
  const secret = await openSecretFile({
    dataDir,
    name: FILE,
    make: () => randomBytes(BYTES),
    setting: "SECRET_KEY",
  });
  if (secret.length === BYTES) return secret;
  throw new StartError(
    `${join(dataDir, FILE)} has ${secret.length} bytes instead of ${BYTES}. Restore it, or remove it to create a new one, which forgets the addresses that accounts signed in from.`,
  );
}

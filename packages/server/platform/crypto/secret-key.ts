import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { openSecretFile } from "./secret-file.ts";
import { StartError } from "../start-error.ts";

const FILE = "secret.key";
const BYTES = 32;

/**
 * The secret that keys are derived from, for what a dump of the database alone must not tell: the
 * setting SECRET_KEY, or 32 random bytes in `dataDir/secret.key`, which the first start makes.
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
  const secret = await openSecretFile({
    dataDir,
    name: FILE,
    make: () => randomBytes(BYTES),
    setting: "SECRET_KEY",
  });
  if (secret.length === BYTES) return secret;
  throw new StartError(
    `${join(dataDir, FILE)} has to hold ${BYTES} bytes and holds ${secret.length}. Restore it, or remove it: a new one is made, and addresses that accounts signed in from are forgotten.`,
  );
}

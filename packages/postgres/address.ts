import { access } from "node:fs/promises";
import { join } from "node:path";
import type { Log } from "./log.ts";
import { PostgresError } from "./errors.ts";
import { openEmbeddedPostgres } from "./embedded.ts";
import { FolderInUseError } from "./owner.ts";
import { findRunningPostgres } from "./running.ts";

/** An operator's command found no database of a service. */
export class NoDatabaseError extends PostgresError {
  override name = "NoDatabaseError";
}

/** The connection of an operator's command to the database of a service, which may be running. */
export interface Address extends AsyncDisposable {
  url: string;
  /** The database was started for this command: no service runs on it. */
  isOwn: boolean;
}

/**
 * Opens the service's database for an operator's command: through the socket of a running service, else by starting
 * the database until disposal.
 * @throws NoDatabaseError if there is none
 */
export async function openAddress({
  dataDir,
  databaseUrl,
  log,
}: {
  dataDir: string;
  databaseUrl?: string | undefined;
  log: Log;
}): Promise<Address> {
  if (databaseUrl !== undefined) return borrow(databaseUrl);
  if (!(await isThere(join(dataDir, "postgres"))))
    throw new NoDatabaseError(
      `There is no database in ${dataDir} yet. Start the service first, or set DATABASE_URL or DATA_DIR.`,
    );
  try {
    const opened = await openEmbeddedPostgres({ dataDir, log });
    const close = () => opened[Symbol.asyncDispose]();
    return { url: opened.url, isOwn: true, [Symbol.asyncDispose]: close };
  } catch (error) {
    if (!(error instanceof FolderInUseError)) throw error;
    const url = await findRunningPostgres(dataDir);
    if (url !== undefined) return borrow(url);
    throw new NoDatabaseError(
      `A service runs on ${dataDir}, but its database does not answer yet. Try again.`,
    );
  }
}

function borrow(url: string): Address {
  return { url, isOwn: false, [Symbol.asyncDispose]: async () => undefined };
}

async function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

// What the operator's commands share: the service's database, and errors in words.
import { access } from "node:fs/promises";
import { join } from "node:path";
import type { FastifyBaseLogger } from "fastify";
import { type Config, ConfigError } from "../server/config.ts";
import { Fault } from "../server/platform/errors.ts";
import { openEmbeddedPostgres } from "../server/platform/postgres/embedded.ts";
import { FolderInUseError } from "../server/platform/postgres/owner.ts";
import { findRunningPostgres } from "../server/platform/postgres/running.ts";

/** What keeps the command from doing its work, in words for the operator. */
export class UsageError extends Error {
  override name = "UsageError";
}

/** The database that the service uses: of a running service by its socket, else opened for the while. */
export async function openAddress(
  { dataDir }: Config,
  databaseUrl: string | undefined,
  log: FastifyBaseLogger,
): Promise<AsyncDisposable & { url: string }> {
  if (databaseUrl !== undefined) return borrow(databaseUrl);
  if (!(await isThere(join(dataDir, "postgres"))))
    throw new UsageError(
      `There is no database in ${dataDir} yet. Run npm start first, or set DATABASE_URL or DATA_DIR.`,
    );
  try {
    return await openEmbeddedPostgres({ dataDir, log });
  } catch (error) {
    if (!(error instanceof FolderInUseError)) throw error;
    const url = await findRunningPostgres(dataDir);
    if (url !== undefined) return borrow(url);
    throw new UsageError(
      `A service runs on ${dataDir}, but its database does not answer yet. Try again.`,
    );
  }
}

function borrow(url: string): AsyncDisposable & { url: string } {
  return { url, [Symbol.asyncDispose]: async () => undefined };
}

async function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

/** Tells what went wrong with `npm run command`; answers the exit status. */
export function explain(error: unknown, command: string): number {
  if (!(error instanceof Error)) throw error;
  const code = "code" in error ? String(error.code) : "";
  const isUsage = error instanceof UsageError || code.startsWith("ERR_PARSE_ARGS");
  if (isUsage || error instanceof ConfigError) {
    console.error(`${error.message}\nSee: npm run ${command} -- --help`);
    return 2;
  }
  if (error instanceof Fault) {
    for (const { path, message } of error.faults) console.error(`${path.slice(1)}: ${message}`);
  } else if (code === "42P01") {
    console.error("The database has no tables yet. Start the service once, then try again.");
  } else console.error(error.message);
  return 1;
}

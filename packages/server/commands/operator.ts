// Errors of the operator's commands.
import { ConfigError } from "../config/config.ts";
import { Fault } from "../platform/errors.ts";
import { NoDatabaseError } from "@avow/postgres/address";

/** An error that the operator can fix. */
export class UsageError extends Error {
  override name = "UsageError";
}

/** Prints the error of `npm run command`; returns the exit status. */
export function explain(error: unknown, command: string): number {
  if (!(error instanceof Error)) throw error;
  const code = "code" in error ? String(error.code) : "";
  const isUsage = error instanceof UsageError || code.startsWith("ERR_PARSE_ARGS");
  if (isUsage || error instanceof ConfigError || error instanceof NoDatabaseError) {
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

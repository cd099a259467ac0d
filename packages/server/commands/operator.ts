// What the operator's scripts share: errors in words.
import { ConfigError } from "../config/config.ts";
import { Fault } from "../platform/errors.ts";
import { NoDatabaseError } from "@avow/postgres/address";

/** What keeps the command from doing its work, in words for the operator. */
export class UsageError extends Error {
  override name = "UsageError";
}

/** Tells what went wrong with `npm run command`; answers the exit status. */
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

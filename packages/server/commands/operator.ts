// Errors of the commands on the machine of the service, as the command line prints them.
import { CommandError, UsageError } from "@avow/cli/errors";
import { NoDatabaseError } from "@avow/postgres/address";
import { ConfigError } from "../config/config.ts";
import { Fault, codeOf } from "../platform/errors.ts";

/** Gives an error that the operator can fix the message that says how. Returns any other error as it is. */
export function toOperatorError(error: unknown): unknown {
  if (error instanceof ConfigError || error instanceof NoDatabaseError)
    return new UsageError(error.message);
  if (error instanceof Fault) {
    const lines = error.faults.map(({ path, message }) => `${path.slice(1)}: ${message}`);
    return new CommandError(lines.join("\n"));
  }
  if (codeOf(error) === "42P01")
    return new CommandError(
      "The database has no tables yet. Start the service once, then try again.",
    );
  return error;
}

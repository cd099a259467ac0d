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
  return toSystemError(error);
}

/** Names the remedy of failures of the machine. */
function toSystemError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { path, address, port } = error as Error & Record<"path" | "address" | "port", unknown>;
  switch (codeOf(error)) {
    case "ENOSPC":
      return new CommandError("The disk is full. Free some space, and run the command again.");
    case "ECONNREFUSED":
      return new CommandError(
        `Nothing answers at ${String(address)}:${String(port)}. Start the database or the storage there, or correct DATABASE_URL or S3_ENDPOINT.`,
      );
    case "EACCES":
    case "EPERM":
      return new CommandError(
        `${String(path)}: permission denied. Run the command as the user of the service.`,
      );
    default:
      return error;
  }
}

// Errors of the commands on the machine of the service, as the command line prints them.
import { CommandError, UsageError } from "@avow/cli/errors";
import { NoDatabaseError } from "@avow/postgres/address";
import { PostgresError } from "@avow/postgres/errors";
import { ConfigError } from "../config/config.ts";
import { Fault, codeOf } from "../platform/errors.ts";
import { StorageError } from "../platform/objects/objects.ts";
import { StartError, toDatabaseReason } from "../platform/start-error.ts";

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

/** Errors that explain themselves. */
const plain = [CommandError, PostgresError, StartError, StorageError];

/** Explains failures of the database and of files. */
function toSystemError(error: unknown): unknown {
  if (!(error instanceof Error) || plain.some((type) => error instanceof type)) return error;
  const isOfFile = "path" in error && "syscall" in error;
  const reason = isOfFile ? undefined : toDatabaseReason(error);
  if (reason !== undefined) return new CommandError(`The database failed: ${reason}`);
  switch (codeOf(error)) {
    case "ENOSPC":
      return new CommandError("The disk is full. Free some space, and run the command again.");
    case "EACCES":
    case "EPERM":
      return isOfFile
        ? new CommandError(
            `${String(error.path)}: permission denied. Run the command as the user of the service.`,
          )
        : error;
    default:
      return error;
  }
}

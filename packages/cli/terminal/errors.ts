import { Problem } from "@avow/client/problem";

/** An error of which only the message is printed. */
export class CommandError extends Error {
  override name = "CommandError";
}

/** Wrong usage of a command. */
export class UsageError extends CommandError {
  override name = "UsageError";
}

/** The message of an error, with that of its cause. */
export function toReason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof Problem) {
    const { kind, status, detail } = error;
    if (kind === "offline") return toReason(error.cause);
    return kind === "pending" ? detail : `The service returned ${status}: ${detail}`;
  }
  const cause: unknown = error.cause;
  if (!(cause instanceof Error)) return error.message;
  const reason = cause.message || codeOf(cause);
  return reason === "" ? error.message : `${error.message} (${reason})`;
}

/** The code of a system error; '' for anything else. */
export function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}

/** An error of standard output. Its reader may close it early (`| head`). */
export function toOutputError(error: Error): CommandError {
  if (codeOf(error) === "EPIPE")
    return new CommandError("Standard output was closed before the end.");
  return new CommandError("Standard output cannot be written.", { cause: error });
}

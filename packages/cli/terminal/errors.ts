import { Problem } from "@avow/client/problem";

/** What the caller has to know; the message is all that is printed. */
export class CommandError extends Error {
  override name = "CommandError";
}

/** The command was not called as it has to be. */
export class UsageError extends CommandError {
  override name = "UsageError";
}

/** An error in words: what was said, and what it came from when that says more. */
export function toReason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof Problem)
    return error.kind === "offline"
      ? toReason(error.cause)
      : `The service says ${error.status}: ${error.detail}`;
  const cause: unknown = error.cause;
  if (!(cause instanceof Error)) return error.message;
  const said = cause.message || codeOf(cause);
  return said === "" ? error.message : `${error.message} (${said})`;
}

/** The code of a system error; '' for anything else. */
export function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}

/** What became of standard output: who reads it may have enough before the end (`| head`). */
export function toUnwritable(error: Error): CommandError {
  if (codeOf(error) === "EPIPE")
    return new CommandError("Standard output was closed before the end.");
  return new CommandError("Standard output cannot be written.", { cause: error });
}

/** What the caller has to know; the message is all that is printed. */
export class CommandError extends Error {
  override name = "CommandError";
}

/** The command was not called as it has to be. */
export class UsageError extends CommandError {
  override name = "UsageError";
}

/** The service said no, and why (RFC 9457). */
export class ProblemError extends CommandError {
  override name = "ProblemError";
  readonly status: number;
  readonly retryAfterSeconds: number | undefined;

  constructor(status: number, message: string, retryAfterSeconds?: number) {
    super(message);
    this.status = status;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** An error in words: what was said, and what it came from when that says more. */
export function toReason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
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

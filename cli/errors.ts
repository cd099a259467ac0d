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

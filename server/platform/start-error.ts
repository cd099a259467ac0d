/** A fault of the setup, which its message explains; any other is a fault of ours and shows its stack. */
export class StartError extends Error {
  override name = "StartError";
}

/** SQLSTATEs and codes of the socket that mean: no connection. */
const connection = /^(08|28|3D000|53|57P)|^(ECONN|ENOENT|ENOTFOUND|EAI_|ETIMEDOUT|EHOST)/;

/** What people are told when the service cannot start. */
export function toStartMessage(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof StartError) return error.message;
  const code = "code" in error && typeof error.code === "string" ? error.code : "";
  if ("path" in error && "syscall" in error) return error.message;
  if (!connection.test(code)) return error.stack ?? error.message;
  // Trying several addresses of one name fails with an error that holds the others and says nothing.
  const told =
    error instanceof AggregateError ? error.errors.map(String).join(", ") : error.message;
  return `The database does not answer: ${told} (${code}).`;
}

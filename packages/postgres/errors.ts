/** PostgreSQL cannot be installed, started or kept running; the message has the reason and a remedy. */
export class PostgresError extends Error {
  override name = "PostgresError";
}

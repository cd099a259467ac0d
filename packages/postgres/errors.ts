/** PostgreSQL cannot be installed, started or kept up; the message says why, and what an operator can do. */
export class PostgresError extends Error {
  override name = "PostgresError";
}

import type { PoolClient } from "pg";

/** The function of PostgreSQL that waits for synchronous standbys, as its warnings name it in every language. */
const WAITING_ROUTINE = "SyncRepWaitForLSN";

/**
 * A commit whose wait for a synchronous standby was cancelled: it is visible, but a failover may lose it. PostgreSQL only
 * warns. Has the SQLSTATE transaction_resolution_unknown.
 */
class UnreplicatedError extends Error {
  override name = "UnreplicatedError";
  readonly code = "08007";
}

/**
 * Writes an empty message to the log of PostgreSQL, so that the commit of this transaction waits for the synchronous
 * standbys. Everything that the transaction saw is replicated then too, even if its own commit was not confirmed.
 */
export const REPLICATION_BARRIER = "SELECT pg_logical_emit_message(true, 'avow', '')";

/** Rejects queries of a new connection with `UnreplicatedError` whose wait for a standby was cancelled. */
export function rejectUnreplicated(client: PoolClient): void {
  let isCancelled = false;
  client.on("notice", ({ routine }) => {
    if (routine === WAITING_ROUTINE) isCancelled = true;
  });
  const query = client.query.bind(client) as (...args: unknown[]) => unknown;
  const checked = (...args: unknown[]): unknown => {
    isCancelled = false;
    const result = query(...args);
    if (!(result instanceof Promise)) return result;
    return result.then((rows: unknown) => {
      if (isCancelled)
        throw new UnreplicatedError("The wait for a synchronous standby was cancelled.");
      return rows;
    });
  };
  client.query = checked as typeof client.query;
}

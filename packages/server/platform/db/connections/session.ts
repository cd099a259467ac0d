import type { PoolClient } from "pg";

/**
 * Whether a connection keeps its session for the service's use. A pooler in transaction mode gives each transaction any
 * of its sessions, so that settings and prepared statements do not last.
 */
export type Pooling = "session" | "transaction";

/** Settings of PostgreSQL with their values as SQL. */
export type SessionSettings = Readonly<Record<string, string>>;

/** The statement that applies the settings to the session, or only to the current transaction. */
export function toSettingStatement(settings: SessionSettings, isLocal: boolean): string {
  const calls = Object.entries(settings).map(
    ([name, value]) => `set_config('${name}', ${value}, ${isLocal})`,
  );
  return `SELECT ${calls.join(", ")}`;
}

const begins = /^(begin|start transaction)\b/i;

/** Makes a new connection begin each transaction with its settings, and prepare no statement by name. */
export function avoidSession(client: PoolClient, settings: SessionSettings): void {
  const setLocally = toSettingStatement(settings, true);
  const query = client.query.bind(client) as (...args: unknown[]) => unknown;
  const withoutSession = (first: unknown, ...rest: unknown[]): unknown => {
    if (typeof first === "string" && begins.test(first))
      return query(`${first}; ${setLocally}`, ...rest);
    if (typeof first !== "object" || first === null || !("name" in first) || "submit" in first)
      return query(first, ...rest);
    const { name: _name, ...unnamed } = first;
    return query(unnamed, ...rest);
  };
  client.query = withoutSession as typeof client.query;
}

import type { PoolClient } from "pg";

/** Executions after which a query is prepared. */
const FREQUENT = 10;
/** Maximum number of prepared queries on each connection, since PostgreSQL keeps their plans in memory. */
const PREPARED_MAX = 100;
/** Maximum number of counted texts, since some are generated for one request only. */
const COUNTED_MAX = 2_000;

export interface Prepared {
  /**
   * Prepares frequent queries of a new connection, since many take longer to plan than to run. Called once for each
   * connection.
   */
  prepareOn(client: PoolClient): void;
}

/** Opens the counters that the connections of one pool share. */
export function openPrepared(): Prepared {
  const counts = new Map<string, number>();
  const names = new Map<string, string>();
  const findName = (text: string): string | undefined => {
    const name = names.get(text);
    if (name !== undefined || names.size >= PREPARED_MAX) return name;
    const count = (counts.get(text) ?? 0) + 1;
    if (count >= FREQUENT) {
      counts.delete(text);
      names.set(text, `often-${names.size}`);
    } else {
      if (counts.size >= COUNTED_MAX) counts.clear();
      counts.set(text, count);
    }
    return names.get(text);
  };
  return {
    prepareOn(client) {
      const query = client.query.bind(client) as (...args: unknown[]) => unknown;
      const prepared = (...args: unknown[]): unknown => {
        const [text, values] = args;
        // A text without values may have several statements, which cannot be prepared.
        if (args.length !== 2 || typeof text !== "string" || !Array.isArray(values))
          return query(...args);
        const name = values.length > 0 ? findName(text) : undefined;
        return name === undefined ? query(text, values) : query({ name, text, values });
      };
      client.query = prepared as typeof client.query;
    },
  };
}

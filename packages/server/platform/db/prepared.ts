import type { PoolClient } from "pg";

/** A query is prepared once it came so often, … */
const OFTEN = 10;
/** … and so many are, on each connection: PostgreSQL keeps their plans in memory. */
const PREPARED_MAX = 100;
/** Texts that are counted; some are made for one request, and come once. */
const COUNTED_MAX = 2_000;

/** Which queries come often. */
export interface Prepared {
  /**
   * Lets a connection's queries that come again and again be planned once: many of ours take longer to
   * plan than to run. Asked once for each connection.
   */
  prepareOn(client: PoolClient): void;
}

/** Opens what the connections of one pool share. */
export function openPrepared(): Prepared {
  const counts = new Map<string, number>();
  const names = new Map<string, string>();
  const findName = (text: string): string | undefined => {
    const name = names.get(text);
    if (name !== undefined || names.size >= PREPARED_MAX) return name;
    const count = (counts.get(text) ?? 0) + 1;
    if (count >= OFTEN) {
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
        // Without values there may be several statements in one text, which cannot be prepared.
        if (args.length !== 2 || typeof text !== "string" || !Array.isArray(values))
          return query(...args);
        const name = values.length > 0 ? findName(text) : undefined;
        return name === undefined ? query(text, values) : query({ name, text, values });
      };
      client.query = prepared as typeof client.query;
    },
  };
}

// Compares confirmed with stored consents after a fault.
import type { World } from "./faults.ts";
import type { Acknowledged } from "./load.ts";
import { waitFor } from "./processes.ts";

const WAIT_MS = 120_000;

export interface Verdict {
  /** Confirmed consents that are not stored. */
  lost: number;
  /** Consents that are stored more than once. */
  twice: number;
  /** Whether all are in the log, which grew from the tree that the witness saw last. */
  isLogged: boolean;
  /** Confirmed consents without a webhook. */
  undelivered: number;
}

/** Verifies the consents of one run, whose tokens begin with `run`. */
export async function verifyRun(
  world: World,
  { run, acknowledged }: { run: string; acknowledged: readonly Acknowledged[] },
): Promise<Verdict> {
  const { cluster, site } = world;
  const leader = await cluster.waitUntilHealthy();
  const rows = await cluster.query<{ token: string; ids: string[] }>(
    leader,
    "SELECT token, array_agg(id::text) AS ids FROM consents WHERE starts_with(token, $1) GROUP BY token",
    [`${run}-`],
  );
  const stored = new Map(rows.map(({ token, ids }) => [token, ids]));
  const lost = acknowledged.filter(
    ({ token, consentId }) => !stored.get(token)?.includes(consentId),
  );
  const watched = acknowledged.filter(({ isWatched }) => isWatched);
  const isLogged = await holds(async () => {
    const [log] = await cluster.query<{ size: number; missing: number }>(
      leader,
      `SELECT size::float8 AS size, (
        SELECT count(*)::integer FROM consents c WHERE starts_with(token, $1)
          AND NOT EXISTS (SELECT FROM consent_salts s WHERE s.consent_id = c.id AND s.project_id = c.project_id)
      ) AS missing FROM log_heads`,
      [`${run}-`],
    );
    return log?.missing === 0 && site.witness.seen.size === log.size;
  });
  const countUndelivered = (): number => {
    const delivered = new Set(site.receiver.received.map(({ body }) => toConsentId(body)));
    return watched.filter(({ consentId }) => !delivered.has(consentId)).length;
  };
  await holds(async () => countUndelivered() === 0);
  return {
    lost: lost.length,
    twice: rows.filter(({ ids }) => ids.length > 1).length,
    isLogged,
    undelivered: countUndelivered(),
  };
}

function toConsentId(body: { data?: { consentId?: string; id?: string } }): string | undefined {
  return body.data?.consentId ?? body.data?.id;
}

const holds = (check: () => Promise<boolean>): Promise<boolean> =>
  waitFor("a check", async () => (await check()) || undefined, { waitMs: WAIT_MS }).catch(
    () => false,
  );

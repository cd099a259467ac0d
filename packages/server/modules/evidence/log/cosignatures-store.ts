import { sql } from "kysely";
import type { DataDb, DataTx } from "../../../platform/db/db.ts";
import type { HeadRow } from "./store.ts";

/** A signed tree with its cosignatures. */
export interface WitnessedRow {
  size: number;
  /** As the log signed it. */
  checkpoint: string;
  /** The log's verifier keys that signed it. */
  keys: string[];
  /** The verifier keys of all witnesses that cosigned; `lines` has the cosignature of each. */
  witnesses: string[];
  lines: string[];
}

/** The newest tree that a witness cosigned; undefined if none did. */
export async function findWitnessed(db: DataDb | DataTx): Promise<WitnessedRow | undefined> {
  const { rows } = await sql<WitnessedRow>`
    SELECT w.size, w.checkpoint, w.keys, array_agg(c.verifier ORDER BY c.verifier) AS witnesses,
      array_agg(c.line ORDER BY c.verifier) AS lines
    FROM log_witnessed w JOIN log_cosignatures c ON c.size = w.size
    GROUP BY w.size ORDER BY w.size DESC LIMIT 1`.execute(db);
  return rows[0];
}

export interface WitnessRow {
  verifier: string;
  /** Size of the tree that it cosigned last. */
  size: number;
  /** Consecutive failures. */
  failures: number;
}

/**
 * Leases those of the witnesses that are due, for `leaseSeconds`, so that no other node asks them at the
 * same time. A new witness starts with size 0.
 */
export async function claimWitnesses(
  db: DataDb,
  verifiers: readonly string[],
  leaseSeconds: number,
): Promise<WitnessRow[]> {
  const given = sql.val([...verifiers]);
  const { rows } = await sql<WitnessRow>`
    INSERT INTO log_witnesses AS w (verifier, next_at)
    SELECT v, now() + make_interval(secs => ${leaseSeconds}) FROM unnest(${given}::text[]) v
    ON CONFLICT (verifier) DO UPDATE SET next_at = excluded.next_at WHERE w.next_at <= now()
    RETURNING w.verifier, w.size, w.failures`.execute(db);
  return rows;
}

/** Stores the state of a witness; its next request is due in `waitSeconds`. */
export async function updateWitness(
  db: DataDb | DataTx,
  { verifier, size, failures }: WitnessRow,
  waitSeconds: number,
): Promise<void> {
  await sql`
    UPDATE log_witnesses SET size = ${size}, failures = ${failures},
      next_at = now() + make_interval(secs => ${waitSeconds})
    WHERE verifier = ${verifier}`.execute(db);
}

/** Stores cosignatures of a tree and deletes those of older trees. Does nothing if a newer tree has some. */
export async function insertCosignatures(
  tx: DataTx,
  { size, checkpoint, keys }: Pick<HeadRow, "size" | "checkpoint" | "keys">,
  cosigned: readonly { verifier: string; line: string }[],
): Promise<void> {
  const { rows } = await sql`
    INSERT INTO log_witnessed AS w (size, checkpoint, keys)
    SELECT ${size}, ${checkpoint}, ${sql.val(keys)}::text[]
    WHERE NOT EXISTS (SELECT FROM log_witnessed WHERE size > ${size})
    ON CONFLICT (size) DO UPDATE SET checkpoint = excluded.checkpoint, keys = excluded.keys
    RETURNING 1`.execute(tx);
  if (rows.length === 0) return;
  for (const { verifier, line } of cosigned)
    await sql`
      INSERT INTO log_cosignatures (size, verifier, line) VALUES (${size}, ${verifier}, ${line})
      ON CONFLICT (size, verifier) DO UPDATE SET line = excluded.line`.execute(tx);
  await sql`DELETE FROM log_witnessed WHERE size < ${size}`.execute(tx);
}

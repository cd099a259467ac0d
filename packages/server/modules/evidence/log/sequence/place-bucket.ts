import type { Bucket, Buckets } from "../../../../platform/db/buckets/buckets.ts";
import { inTransaction } from "../../../../platform/db/transaction.ts";
import type { Facts } from "./facts.ts";
import { type PlacedBatch, placeConsents, toHashes } from "./place-consents.ts";
import { beginPlacing, fencePlacing, putPlacing, readPlacing } from "./placing-store.ts";

/**
 * Assigns leaves from `size`, the size of the latest tree, on to the queued consents of a bucket, in a transaction of that
 * bucket: its server may be another than the log's. The entries are stored with the leaves, so that the next call returns
 * the same ones until a tree has them. Requires the sequencer's lock. Readers see leaves of signed trees only, and
 * therefore all of them.
 *
 * A process that loses the lock unnoticed may still be committing: each call has a number, of which the bucket accepts only
 * rising ones, and the log's head only the latest.
 */
export async function placeBucket(
  { name, data }: Bucket,
  size: number,
  { buckets, facts }: { buckets: Pick<Buckets, "directory">; facts: Facts },
): Promise<PlacedBatch & { term: number }> {
  const term = await beginPlacing(buckets.directory, name, size);
  const batch = await inTransaction(data, async (tx): Promise<PlacedBatch> => {
    if (!(await fencePlacing(tx, term)))
      throw new Error(`Another process assigns leaves to the consents of bucket ${name}.`);
    const left = await readPlacing(tx, size);
    if (left) return { entries: toHashes(left), taken: 0, traces: [], hasMore: true };
    const placed = await placeConsents(tx, facts, size);
    if (placed.entries.length > 0) await putPlacing(tx, size, Buffer.concat(placed.entries));
    return placed;
  });
  return { ...batch, term };
}

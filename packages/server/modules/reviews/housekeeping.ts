import { inTransaction } from "../../platform/db/transaction.ts";
import { deleteReviewsOfDeleted } from "./housekeeping-store.ts";
import type { ReviewsApp } from "./ports.ts";

const RETENTION_MS = 90 * 86_400_000;

/** Deletes the reviews of projects that were deleted 90 days ago. */
export async function runReviewHousekeeping({
  db,
  now,
}: Pick<ReviewsApp, "db" | "now">): Promise<void> {
  const before = new Date(now().getTime() - RETENTION_MS);
  await inTransaction(db, (tx) => deleteReviewsOfDeleted(tx, before));
}

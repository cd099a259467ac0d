/**
 * A table of each bucket that always has one row. Expressions selected from it are computed by the server of the bucket, also
 * in a transaction; those without a table by the server that the service is connected to.
 */
export const BUCKETS_ROW = "answer_counts_head WHERE id = 1";

-- The processes that use the data plane. `avow db distribute` waits until all of them know the buckets, and
-- `avow db move` rejects to run beside one.
CREATE TABLE nodes (
  id uuid PRIMARY KEY,
  -- The number of buckets that it has opened.
  buckets integer NOT NULL,
  -- It repeats this every few seconds, and deletes the row when it ends.
  seen_at timestamptz NOT NULL
);

-- The traceparent (W3C Trace Context) of the write that queued a consent, to which the log's span links. Null unless the write was traced.
ALTER TABLE consent_queue ADD COLUMN trace text;

-- The last complete backup by `avow backup`: the time of its data, its end and its size.
ALTER TABLE instance
  ADD COLUMN backup_created_at timestamptz,
  ADD COLUMN backup_ended_at timestamptz,
  ADD COLUMN backup_bytes bigint;

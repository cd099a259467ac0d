-- The traceparent (W3C Trace Context) of the write that queued a consent, to which the log's span links. Null unless the write was traced.
ALTER TABLE consent_queue ADD COLUMN trace text;

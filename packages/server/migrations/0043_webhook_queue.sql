-- The row of a webhook also has the state of its queue: the time of the next delivery, and the lease of the sending
-- node. Pending deliveries in webhook_deliveries are not changed.
ALTER TABLE webhooks
  -- When the next delivery is due; null without one, or if the webhook is disabled.
  ADD COLUMN due_at timestamptz,
  -- The end of the sending node's lease.
  ADD COLUMN leased_until timestamptz,
  -- The circuit breaker: no delivery before this time.
  ADD COLUMN rests_until timestamptz,
  -- Consecutive failed batches.
  ADD COLUMN failures integer NOT NULL DEFAULT 0,
  -- Number of pending deliveries.
  ADD COLUMN pending integer NOT NULL DEFAULT 0,
  -- The feed's cursor of this webhook if it is behind the head.
  ADD COLUMN position bigint,
  ADD COLUMN leaf bigint,
  ADD COLUMN fed_at timestamptz;

UPDATE webhooks w SET rests_until = l.rests_until, failures = l.failures, pending = l.pending,
  position = l.position, leaf = l.leaf, fed_at = l.fed_at,
  due_at = CASE WHEN w.enabled AND l.pending > 0 THEN coalesce(l.due_at, now()) END
FROM webhook_lanes l WHERE l.webhook_id = w.id;

DROP TABLE webhook_lanes;

CREATE INDEX webhooks_due ON webhooks (due_at) WHERE due_at IS NOT NULL AND enabled;
CREATE INDEX webhooks_leased ON webhooks (leased_until) WHERE leased_until IS NOT NULL;
CREATE INDEX webhooks_behind ON webhooks (fed_at NULLS FIRST) WHERE position IS NOT NULL AND enabled;

-- A webhook's row is its queue too: when something of it is due, and the lease of the node that sends it. What
-- waits in webhook_deliveries stays as it is.
ALTER TABLE webhooks
  -- When something is to be sent; null where nothing is, or the webhook is disabled.
  ADD COLUMN due_at timestamptz,
  -- One node sends until then.
  ADD COLUMN leased_until timestamptz,
  -- The circuit breaker: nothing is sent before.
  ADD COLUMN rests_until timestamptz,
  -- Batches that failed in a row.
  ADD COLUMN failures integer NOT NULL DEFAULT 0,
  -- Deliveries that wait, now or later.
  ADD COLUMN pending integer NOT NULL DEFAULT 0,
  -- How far the feed has come for this webhook, where that is behind the head.
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

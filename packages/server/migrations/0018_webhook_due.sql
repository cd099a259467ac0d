-- Pending deliveries of a webhook in the order of sending, so that the cost of a read is proportional to its batch and
-- not to the queue.
CREATE INDEX webhook_deliveries_due ON webhook_deliveries (webhook_id, id) WHERE next_at IS NOT NULL;

-- The node that holds and renews the lease of a lane.
ALTER TABLE webhook_lanes ADD COLUMN leased_by text;

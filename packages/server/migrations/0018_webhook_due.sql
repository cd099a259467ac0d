-- What waits of a webhook in the order in which it is sent, so that a part of a long queue costs what that part does.
CREATE INDEX webhook_deliveries_due ON webhook_deliveries (webhook_id, id) WHERE next_at IS NOT NULL;

-- The node that holds the lease of a lane, which it renews.
ALTER TABLE webhook_lanes ADD COLUMN leased_by text;

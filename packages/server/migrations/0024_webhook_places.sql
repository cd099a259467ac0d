-- A new webhook counts as slow until a delivery succeeds, so that creating many webhooks, or recreating them, has no
-- advantage.
ALTER TABLE webhook_lanes ALTER COLUMN is_poor SET DEFAULT true;

-- Disabled webhooks are never due, even with pending deliveries.
UPDATE webhook_lanes l SET due_at = NULL FROM webhooks w WHERE w.id = l.webhook_id AND NOT w.enabled AND l.due_at IS NOT NULL;

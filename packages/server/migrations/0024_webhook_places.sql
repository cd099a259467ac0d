-- A new webhook counts as slow until it has succeeded, so that creating many webhooks, or creating them again, brings
-- no advantage.
ALTER TABLE webhook_lanes ALTER COLUMN is_poor SET DEFAULT true;

-- Disabled webhooks are excluded, whatever their pending deliveries.
UPDATE webhook_lanes l SET due_at = NULL FROM webhooks w WHERE w.id = l.webhook_id AND NOT w.enabled AND l.due_at IS NOT NULL;

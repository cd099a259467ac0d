-- A webhook shares the places of slow and failing ones until it has shown that it is neither: who makes many of them, or
-- makes them anew, gains nothing.
ALTER TABLE webhook_lanes ALTER COLUMN is_poor SET DEFAULT true;

-- A webhook that is disabled is not looked at, whatever waits for it.
UPDATE webhook_lanes l SET due_at = NULL FROM webhooks w WHERE w.id = l.webhook_id AND NOT w.enabled AND l.due_at IS NOT NULL;

-- Webhooks behind the head are fed in the order of `fed_at`, oldest first.
ALTER TABLE webhook_lanes ADD COLUMN fed_at timestamptz;
DROP INDEX webhook_lanes_behind;
CREATE INDEX webhook_lanes_behind ON webhook_lanes (fed_at NULLS FIRST) WHERE position IS NOT NULL;

-- Erased records whose data is still to be removed from the log of deliveries. No index: rows are written once, and the
-- oldest are removed first.
CREATE TABLE erased_consents (
  project_id text COLLATE "C" NOT NULL,
  consent_id uuid NOT NULL
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);

-- Webhooks without pending deliveries do not count as failing.
UPDATE webhooks w SET failing_since = NULL
WHERE enabled AND failing_since IS NOT NULL AND NOT EXISTS (
  SELECT FROM webhook_deliveries d WHERE d.webhook_id = w.id AND d.next_at IS NOT NULL);

-- Webhooks: endpoints with their subscriptions, and deliveries. They contain no personal data: a body is built from
-- its event or record when it is sent.

-- Events that are not numbered yet. No index: rows are written once, and the oldest are removed first.
CREATE TABLE event_queue (
  event_id bigint NOT NULL
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);

-- The order of delivery: events are numbered after their commit, so that a reader by number misses none. Ids
-- do not have this property, because transactions commit in another order.
CREATE TABLE event_positions (
  position bigint PRIMARY KEY,
  event_id bigint NOT NULL UNIQUE
);
INSERT INTO event_positions SELECT row_number() OVER (ORDER BY id), id FROM events;

-- The order of consents is that of the log. The cost of this index for the log is negligible.
CREATE INDEX consent_salts_leaf ON consent_salts USING brin (leaf) WITH (pages_per_range = 32, autosummarize = on);

-- The cursor of all webhooks that are not behind; one row.
CREATE TABLE webhook_head (
  id integer PRIMARY KEY CHECK (id = 1),
  position bigint NOT NULL,
  leaf bigint NOT NULL
);
INSERT INTO webhook_head
SELECT 1, (SELECT count(*) FROM events), coalesce((SELECT max(size) FROM log_heads), 0);

-- Past positions of the head, to start a replay at a time.
CREATE TABLE webhook_marks (
  at timestamptz PRIMARY KEY,
  position bigint NOT NULL,
  leaf bigint NOT NULL
);

-- Secrets and headers are encrypted under a key that is not in the database.
CREATE TABLE webhooks (
  id text COLLATE "C" PRIMARY KEY,
  project_id text COLLATE "C",
  url text NOT NULL,
  events text[] NOT NULL,
  collection text,
  identifier text COLLATE "C",
  headers bytea NOT NULL,
  secrets bytea NOT NULL,
  enabled boolean NOT NULL,
  disabled_because text,
  failing_since timestamptz,
  -- Earlier events are not delivered.
  tells_from timestamptz NOT NULL,
  version integer NOT NULL,
  created_at timestamptz NOT NULL,
  created_by text COLLATE "C" NOT NULL,
  updated_at timestamptz NOT NULL
);
CREATE INDEX webhooks_user ON webhooks (created_by, created_at, id);
CREATE INDEX webhooks_project ON webhooks (project_id) WHERE enabled;

-- The delivery state. A lane is the queue of one webhook; one node at a time holds its lease.
CREATE TABLE webhook_lanes (
  webhook_id text COLLATE "C" PRIMARY KEY REFERENCES webhooks (id) ON DELETE CASCADE,
  -- When the next delivery is due; null without one.
  due_at timestamptz,
  leased_until timestamptz,
  -- The end of the backoff after failures.
  rests_until timestamptz,
  pending integer NOT NULL DEFAULT 0,
  -- Consecutive failed batches.
  failures integer NOT NULL DEFAULT 0,
  -- Slow or failing lanes share a limited part of the connections.
  is_poor boolean NOT NULL DEFAULT false,
  -- The cursor of this webhook if it is behind the head.
  position bigint,
  leaf bigint
);
CREATE INDEX webhook_lanes_due ON webhook_lanes (is_poor, due_at) WHERE due_at IS NOT NULL;
CREATE INDEX webhook_lanes_leased ON webhook_lanes (leased_until) WHERE leased_until IS NOT NULL;
CREATE INDEX webhook_lanes_behind ON webhook_lanes (webhook_id) WHERE position IS NOT NULL;

-- One event or consent for one webhook. Deliveries with the same key are sent in order.
CREATE TABLE webhook_deliveries (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  webhook_id text COLLATE "C" NOT NULL REFERENCES webhooks (id) ON DELETE CASCADE,
  event text NOT NULL,
  event_id bigint,
  project_id text COLLATE "C",
  consent_id uuid,
  order_key integer NOT NULL,
  status text NOT NULL,
  -- Null once no further attempt follows.
  next_at timestamptz,
  attempts integer NOT NULL DEFAULT 0,
  -- Each with its time, status, duration, request id and the beginning of the response.
  tried jsonb NOT NULL DEFAULT '[]',
  created_at timestamptz NOT NULL,
  ended_at timestamptz
);
CREATE INDEX webhook_deliveries_webhook ON webhook_deliveries (webhook_id, id);
CREATE INDEX webhook_deliveries_pending ON webhook_deliveries (webhook_id, order_key, id) WHERE next_at IS NOT NULL;
CREATE INDEX webhook_deliveries_created ON webhook_deliveries USING brin (created_at);
CREATE INDEX webhook_deliveries_consent ON webhook_deliveries (project_id, consent_id) WHERE consent_id IS NOT NULL;

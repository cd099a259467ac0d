-- The subject of a delivery, a filter of lists. Each filtered list has its index, except that lists of successful
-- deliveries use `webhook_deliveries_webhook`, and lists of pending ones `webhook_deliveries_pending`.
ALTER TABLE webhook_deliveries ADD COLUMN collection text, ADD COLUMN identifier text COLLATE "C";
CREATE INDEX webhook_deliveries_ended ON webhook_deliveries (webhook_id, status, id)
  WHERE status IN ('parked', 'cancelled');
CREATE INDEX webhook_deliveries_event ON webhook_deliveries (webhook_id, event, id);
CREATE INDEX webhook_deliveries_project ON webhook_deliveries (webhook_id, project_id, id);
CREATE INDEX webhook_deliveries_collection ON webhook_deliveries (webhook_id, collection, id) WHERE collection IS NOT NULL;
CREATE INDEX webhook_deliveries_identifier ON webhook_deliveries (webhook_id, identifier, id) WHERE identifier IS NOT NULL;

-- Complete long responses to failed attempts, only the newest of each webhook. The delivery has the beginning of each.
CREATE TABLE webhook_answers (
  id bigint GENERATED ALWAYS AS IDENTITY,
  webhook_id text COLLATE "C" NOT NULL,
  delivery_id bigint NOT NULL REFERENCES webhook_deliveries (id) ON DELETE CASCADE,
  request_id uuid NOT NULL,
  answer text NOT NULL,
  PRIMARY KEY (delivery_id, request_id)
);
CREATE INDEX webhook_answers_webhook ON webhook_answers (webhook_id, id);

-- The language of mails to the creator.
ALTER TABLE webhooks ADD COLUMN language text NOT NULL DEFAULT 'en';
-- The time of the last mail about the disabled webhook.
ALTER TABLE webhooks ADD COLUMN disabled_told_at timestamptz;

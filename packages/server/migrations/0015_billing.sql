-- Organizations as customers of a payment provider, in its test mode or its live one. The customer is null until the
-- provider has made it; `ordinal` counts those that it had made and somebody deleted there. Each look at what the customer
-- subscribed to takes the next number, so that what an earlier look saw is never written over what a later one did.
CREATE TABLE payment_customers (
  organization_id text COLLATE "C" NOT NULL,
  mode text COLLATE "C" NOT NULL,
  customer_id text COLLATE "C",
  ordinal integer NOT NULL DEFAULT 1,
  looks bigint NOT NULL DEFAULT 0,
  written_look bigint NOT NULL DEFAULT 0,
  looked_at timestamptz,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (organization_id, mode)
);
CREATE UNIQUE INDEX payment_customers_customer ON payment_customers (customer_id);
CREATE INDEX payment_customers_age ON payment_customers (mode, looked_at NULLS FIRST, organization_id);

-- What the provider told, each once: it tells things again, for days.
CREATE TABLE payment_events (
  id text COLLATE "C" PRIMARY KEY,
  type text NOT NULL,
  created_at timestamptz NOT NULL
);
CREATE INDEX payment_events_age ON payment_events (created_at);

-- Null where the operator set the subscription.
ALTER TABLE subscriptions ADD COLUMN customer_id text COLLATE "C";
-- Since when a bill is not paid, and when the subscription ends by its owner's wish; null: neither, or not told.
ALTER TABLE subscriptions ADD COLUMN unpaid_since timestamptz;
ALTER TABLE subscriptions ADD COLUMN cancels_at timestamptz;

-- Organizations as customers of a payment provider, in its test or live mode. customer_id is null until the provider
-- has created the customer; `ordinal` increases when a customer that was deleted at the provider is replaced. Each read
-- of the customer's subscription takes the next number from `looks`, so that the result of an earlier read never
-- overwrites that of a later one.
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

-- Events of the provider, deduplicated by id: the provider repeats an event for days.
CREATE TABLE payment_events (
  id text COLLATE "C" PRIMARY KEY,
  type text NOT NULL,
  created_at timestamptz NOT NULL
);
CREATE INDEX payment_events_age ON payment_events (created_at);

-- Null if the operator set the subscription.
ALTER TABLE subscriptions ADD COLUMN customer_id text COLLATE "C";
-- The time since which an invoice is unpaid, and the time to which the owner cancelled; null: neither, or unknown.
ALTER TABLE subscriptions ADD COLUMN unpaid_since timestamptz;
ALTER TABLE subscriptions ADD COLUMN cancels_at timestamptz;

-- Time-stamps (RFC 3161) of the log's checkpoints.

-- A checkpoint as it was stamped, and the authority's whole answer (TimeStampResp, DER).
CREATE TABLE log_timestamps (
  size bigint PRIMARY KEY,
  checkpoint text NOT NULL,
  reply bytea NOT NULL,
  -- By the authority's clock; `kept_at` is by the database's.
  stamped_at timestamptz NOT NULL,
  kept_at timestamptz NOT NULL DEFAULT now()
);

-- When an authority may be queried again, shared by all nodes.
CREATE TABLE log_authorities (
  url text PRIMARY KEY,
  failures integer NOT NULL DEFAULT 0,
  next_at timestamptz NOT NULL DEFAULT '-infinity'
);

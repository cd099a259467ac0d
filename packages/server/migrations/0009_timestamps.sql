-- Time-stamps (RFC 3161) of the log's checkpoints.

-- A checkpoint as it was stamped, and the complete response of the authority (TimeStampResp, DER).
CREATE TABLE log_timestamps (
  size bigint PRIMARY KEY,
  checkpoint text NOT NULL,
  reply bytea NOT NULL,
  -- By the clock of the authority; `kept_at` is by the clock of the database.
  stamped_at timestamptz NOT NULL,
  kept_at timestamptz NOT NULL DEFAULT now()
);

-- The time of the next request to an authority; shared by all nodes.
CREATE TABLE log_authorities (
  url text PRIMARY KEY,
  failures integer NOT NULL DEFAULT 0,
  next_at timestamptz NOT NULL DEFAULT '-infinity'
);

-- Operation of the log: the keys that signed its newest tree, the cosignatures of witnesses, and the checkpoint of
-- each export.

-- Verifier keys of the signers of the checkpoint, newest first; empty for earlier trees.
ALTER TABLE log_heads ADD COLUMN keys text[] NOT NULL DEFAULT '{}';

-- The newest tree that a witness cosigned, with the log's verifier keys that signed it.
CREATE TABLE log_witnessed (
  size bigint PRIMARY KEY,
  checkpoint text NOT NULL,
  keys text[] NOT NULL
);
CREATE TABLE log_cosignatures (
  size bigint NOT NULL REFERENCES log_witnessed ON DELETE CASCADE,
  verifier text NOT NULL,
  line text NOT NULL,
  PRIMARY KEY (size, verifier)
);

-- The tree size that each witness has seen, and the time of the next request to it; shared by all nodes.
CREATE TABLE log_witnesses (
  verifier text PRIMARY KEY,
  size bigint NOT NULL DEFAULT 0,
  failures integer NOT NULL DEFAULT 0,
  next_at timestamptz NOT NULL DEFAULT '-infinity'
);

-- The checkpoint of the log when the export started. The file contains every matching record of that tree.
ALTER TABLE exports ADD COLUMN log_checkpoint text;

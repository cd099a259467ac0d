-- Operating the log: who signed its last tree, what its witnesses said of one, and what of it each export was
-- made under.

-- Verifier keys of those who signed the checkpoint, the newest first; none is known of trees from before.
ALTER TABLE log_heads ADD COLUMN keys text[] NOT NULL DEFAULT '{}';

-- The newest tree that a witness cosigned, with the verifier keys of the log that signed it.
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

-- What each witness has seen, and when it may be asked again: nodes share that.
CREATE TABLE log_witnesses (
  verifier text PRIMARY KEY,
  size bigint NOT NULL DEFAULT 0,
  failures integer NOT NULL DEFAULT 0,
  next_at timestamptz NOT NULL DEFAULT '-infinity'
);

-- The signed tree of the log when the export began: whatever was in it then and matches is in the file.
ALTER TABLE exports ADD COLUMN log_checkpoint text;

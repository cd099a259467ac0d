-- The history of the server: its identity with its timeline, which changes when a standby becomes the leader or a backup
-- is restored. Null if the server does not say.
CREATE FUNCTION find_timeline() RETURNS text LANGUAGE plpgsql AS $$
BEGIN
  RETURN (SELECT system_identifier FROM pg_control_system()) || '/' || left(pg_walfile_name(pg_current_wal_lsn()), 8);
EXCEPTION WHEN OTHERS THEN
  RETURN NULL;
END $$;

ALTER TABLE log_heads
  -- The history in which the tree was signed; null for trees of versions before.
  ADD COLUMN timeline text,
  -- Why no tree is signed any more, after the database lost entries of the log.
  ADD COLUMN stopped_reason text;

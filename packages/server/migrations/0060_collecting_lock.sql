-- Makes the commit of the current transaction durable, whatever the settings of the connection, which may come from a
-- pooler. A mode that also waits for standbys, such as remote_apply, is kept.
CREATE FUNCTION assure_commit() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF current_setting('synchronous_commit') IN ('off', 'local') THEN
    SET LOCAL synchronous_commit = on;
  END IF;
END $$;

-- First step of the statement that writes consents. Readers in the order of ids read the lock's holders
-- (modules/consents/read/horizon-store.ts): an id older than the margin could be missed by them.
CREATE FUNCTION begin_collecting(first_id_at timestamptz, margin interval)
RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  PERFORM assure_commit();
  PERFORM pg_advisory_xact_lock_shared(4711002, 0);
  IF clock_timestamp() - margin > first_id_at THEN
    RAISE serialization_failure USING MESSAGE = 'The ids of the consents are too old.';
  END IF;
  RETURN true;
END $$;

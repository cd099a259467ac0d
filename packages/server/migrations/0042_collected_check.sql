-- Checks at the end of the statement that writes consents. A serialization failure is retried with
-- everything read again.
CREATE FUNCTION assert_collected(states_hold boolean, combinations_hold boolean, versions_hold boolean)
RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF NOT states_hold THEN
    RAISE serialization_failure USING MESSAGE = 'A consent state was followed by another since it was read.';
  ELSIF NOT combinations_hold THEN
    RAISE serialization_failure USING MESSAGE = 'An answer combination was erased since it was read.';
  ELSIF NOT versions_hold THEN
    RAISE serialization_failure USING MESSAGE = 'A project was published or deleted since it was read.';
  END IF;
END $$;

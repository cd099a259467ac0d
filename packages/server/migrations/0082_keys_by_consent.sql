-- Erasure finds idempotency keys by the ids of consents, which are unique without the project. Ids ascend, so that the
-- index grows at its end only. Building it blocks collection: a large table keeps its index until an operator replaces it
-- (docs/guides/upgrade.md).
DO $$
BEGIN
  IF pg_relation_size('consent_keys') < 128 * 1024 * 1024 THEN
    CREATE INDEX consent_keys_consent_id ON consent_keys (consent_id);
    DROP INDEX consent_keys_consent;
  END IF;
END $$;

-- Readers that follow the log read the newest leaves. With a BRIN index each of these reads scans all ranges without a
-- summary, which are the leaves since the last autovacuum: half a million rows in a busy minute.
DROP INDEX consent_salts_leaf;
CREATE INDEX consent_salts_leaf ON consent_salts (leaf) WITH (fillfactor = 100);

-- Readers that follow the log read the newest leaves. A BRIN index reads all whole that it has no summary of yet,
-- which is what was placed since autovacuum came by: half a million rows in a busy minute, again for each reading.
DROP INDEX consent_salts_leaf;
CREATE INDEX consent_salts_leaf ON consent_salts (leaf) WITH (fillfactor = 100);

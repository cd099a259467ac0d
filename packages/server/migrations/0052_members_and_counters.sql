-- Whether the other members of a document may see the address and the name of this one. Only members who were added by
-- their id, and have not opened the document since, are not disclosed.
ALTER TABLE document_users ADD COLUMN is_disclosed boolean NOT NULL DEFAULT true;

-- Whether only the account with the invited address may accept.
ALTER TABLE invitations ADD COLUMN is_bound boolean NOT NULL DEFAULT false;

-- The last values of counters of the whole service that clients have as numbers. Later values are encrypted in ids and
-- cursors; these stay valid, so that stored cursors and ids keep working.
CREATE TABLE plain_counters (
  event_id bigint NOT NULL,
  position bigint NOT NULL,
  delivery_id bigint NOT NULL,
  leaf bigint NOT NULL
);
INSERT INTO plain_counters
SELECT coalesce((SELECT max(id) FROM events), 0), coalesce((SELECT max(position) FROM event_positions), 0),
  coalesce((SELECT max(id) FROM webhook_deliveries), 0), coalesce((SELECT max(leaf) FROM webhook_head), 0);

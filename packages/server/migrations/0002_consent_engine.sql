-- The consent engine: records partitioned by month, and one state row for each token and
-- configuration. Every key begins with the project, so that the tables can be distributed by project.
ALTER TABLE consents RENAME TO old_consents;
ALTER TABLE consent_states RENAME TO old_states;
DROP INDEX consents_token, consents_identifier, consent_states_accepted;
ALTER TABLE old_consents RENAME CONSTRAINT consents_pkey TO old_consents_pkey;
ALTER TABLE old_states RENAME CONSTRAINT consent_states_pkey TO old_states_pkey;

-- Answer combinations of records, deduplicated. Each item has its answer (accepted, refused, or
-- withdrawn: refused after it was accepted), the substance of the offer, the validity of the answer
-- in days (null: permanent) and the name of the item.
CREATE TABLE choices (
  project_id text COLLATE "C" NOT NULL,
  identifier text COLLATE "C" NOT NULL,
  choice integer NOT NULL,
  digest text COLLATE "C" NOT NULL,
  items jsonb NOT NULL,
  PRIMARY KEY (project_id, identifier, choice),
  UNIQUE (project_id, identifier, digest)
);

-- Append-only. Ids are UUID version 7, so that a month is a range of ids. The answers are a numbered
-- combination (`choice`), or stored in `answers` if the configuration has reached its limit of combinations.
CREATE TABLE consents (
  project_id text COLLATE "C" NOT NULL,
  id uuid NOT NULL,
  token text COLLATE "C" NOT NULL,
  collection text COLLATE "C" NOT NULL,
  identifier text COLLATE "C" NOT NULL,
  accept boolean NOT NULL,
  choice integer,
  answers jsonb,
  preferences json,
  value json,
  language text,
  url text,
  client_at timestamptz,
  country text,
  user_agent text NOT NULL,
  version integer,
  warnings json,
  import_id text COLLATE "C",
  created_at timestamptz NOT NULL,
  PRIMARY KEY (project_id, id)
) PARTITION BY RANGE (id);
CREATE INDEX consents_token ON consents (project_id, token, id);
CREATE INDEX consents_identifier ON consents (project_id, identifier, id);
CREATE INDEX consents_import ON consents (project_id, import_id, id) WHERE import_id IS NOT NULL;

-- Idempotency keys of consents: hashes of an Idempotency-Key, or of the id of a consent in a batch.
CREATE TABLE consent_keys (
  project_id text COLLATE "C" NOT NULL,
  key bytea NOT NULL,
  -- Digest of the request; null if it was not stored.
  digest bytea,
  consent_id uuid NOT NULL,
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (project_id, key)
);
CREATE INDEX consent_keys_expiry ON consent_keys USING brin (expires_at);

-- The current state of a token and a configuration, derived from its records. `items` is null if the record
-- `consent_id` answered every item: then `choice` has the answers, which have been unchanged since `since`.
-- Otherwise `items` has the answer, record and time of each item. Every record has one row here or in
-- past_states.
CREATE TABLE consent_states (
  project_id text COLLATE "C" NOT NULL,
  token text COLLATE "C" NOT NULL,
  identifier text COLLATE "C" NOT NULL,
  collection text COLLATE "C" NOT NULL,
  choice integer,
  items jsonb,
  since timestamptz NOT NULL,
  consent_id uuid NOT NULL,
  version integer,
  first_seen_at timestamptz NOT NULL,
  consents integer NOT NULL,
  PRIMARY KEY (project_id, token, identifier)
);
CREATE INDEX consent_states_choice ON consent_states (project_id, identifier, choice, token);

-- Earlier states: from the record `consent_id` until the record `until_id`.
CREATE TABLE past_states (
  project_id text COLLATE "C" NOT NULL,
  token text COLLATE "C" NOT NULL,
  identifier text COLLATE "C" NOT NULL,
  collection text COLLATE "C" NOT NULL,
  choice integer,
  items jsonb,
  since timestamptz NOT NULL,
  consent_id uuid NOT NULL,
  until_id uuid NOT NULL,
  version integer,
  PRIMARY KEY (project_id, token, identifier, consent_id)
);
CREATE INDEX past_states_choice ON past_states (project_id, identifier, choice, token, consent_id);

-- One partition for imported records from before 2018, then one for each month from the oldest record
-- to the next month.
CREATE TABLE consents_before_2018 PARTITION OF consents
  FOR VALUES FROM (MINVALUE) TO ('0160af04-9000-0000-0000-000000000000');
DO $$
DECLARE
  month timestamp := date_trunc('month', greatest(timestamp '2018-01-01', least(
    (SELECT min(created_at) AT TIME ZONE 'UTC' FROM old_consents), now() AT TIME ZONE 'UTC')));
  bound constant text := '%s-%s-7000-8000-000000000000';
  first text;
  next text;
BEGIN
  WHILE month < (now() AT TIME ZONE 'UTC') + interval '1 month' LOOP
    first := lpad(to_hex((extract(epoch FROM month) * 1000)::bigint), 12, '0');
    next := lpad(to_hex((extract(epoch FROM month + interval '1 month') * 1000)::bigint), 12, '0');
    EXECUTE format('CREATE TABLE %I PARTITION OF consents FOR VALUES FROM (%L) TO (%L)',
      'consents_' || to_char(month, 'YYYY_MM'),
      format('%s-%s-0000-0000-000000000000', left(first, 8), right(first, 4)),
      format('%s-%s-0000-0000-000000000000', left(next, 8), right(next, 4)));
    month := month + interval '1 month';
  END LOOP;
END $$;

-- Answers are reconstructed from the offers of the version that was live; before the first publication, from
-- the old state.
INSERT INTO consents (project_id, id, token, collection, identifier, accept, answers, preferences, value,
  language, url, client_at, country, user_agent, version, warnings, created_at)
SELECT c.project_id, c.id, c.token, c.collection, c.identifier, c.accept, coalesce(a.answers, '{}'),
  c.preferences, c.value, c.language, c.url, c.client_at, c.country, c.user_agent, c.version,
  nullif(c.warnings, '[]'), c.created_at
FROM old_consents c CROSS JOIN LATERAL (
  SELECT jsonb_object_agg(o.item, jsonb_build_object(
    'answer', CASE WHEN CASE WHEN o.item = '' OR c.preferences -> 'vendors' IS NULL THEN c.accept
      ELSE (c.preferences #>> ARRAY['vendors', o.item])::boolean END THEN 'accepted' ELSE 'refused' END,
    'substance', o.substance, 'days', o.days, 'name', o.name)) AS answers
  FROM (
    SELECT item, substance, expires_after_days AS days, name FROM offers
    WHERE project_id = c.project_id AND version = c.version AND identifier = c.identifier AND NOT required
    UNION ALL
    SELECT item, substance, (extract(epoch FROM expires_at - since) / 86400)::integer, name FROM old_states
    WHERE project_id = c.project_id AND token = c.token AND identifier = c.identifier AND c.version IS NULL
  ) o
  WHERE o.item = '' OR c.preferences -> 'vendors' IS NULL OR c.preferences -> 'vendors' ? o.item
) a;

INSERT INTO consent_keys (project_id, key, consent_id, expires_at)
SELECT project_id, substr(sha256(convert_to('id ' || client_id, 'UTF8')), 1, 16), id, now() + interval '90 days'
FROM old_consents WHERE client_id IS NOT NULL;

INSERT INTO consent_states (project_id, token, identifier, collection, items, since, consent_id, version,
  first_seen_at, consents)
SELECT c.project_id, c.token, c.identifier, (array_agg(c.collection ORDER BY c.id DESC))[1],
  coalesce((SELECT jsonb_object_agg(s.item, jsonb_build_object(
    'answer', CASE WHEN s.accept THEN 'accepted' WHEN s.accepted_before THEN 'withdrawn' ELSE 'refused' END,
    'substance', s.substance, 'name', s.name,
    'days', (extract(epoch FROM s.expires_at - r.created_at) / 86400)::integer,
    'since', to_char(s.since AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    'consentId', s.consent_id, 'version', s.version))
    FROM old_states s JOIN old_consents r ON r.project_id = s.project_id AND r.id = s.consent_id
    WHERE s.project_id = c.project_id AND s.token = c.token AND s.identifier = c.identifier), '{}'),
  max(c.created_at), (array_agg(c.id ORDER BY c.id DESC))[1],
  (array_agg(c.version ORDER BY c.id DESC))[1], min(c.created_at), count(*)
FROM old_consents c
GROUP BY c.project_id, c.token, c.identifier;

-- Earlier states are approximated by the answers of a single record; `npm run rebuild` makes them exact.
INSERT INTO past_states (project_id, token, identifier, collection, items, since, consent_id, until_id, version)
SELECT c.project_id, c.token, c.identifier, c.collection,
  (SELECT coalesce(jsonb_object_agg(a.key, a.value || jsonb_build_object('consentId', c.id, 'version', c.version,
    'since', to_char(c.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))), '{}')
    FROM jsonb_each(c.answers) a),
  c.created_at, c.id, c.until_id, c.version
FROM (
  SELECT *, lead(id) OVER (PARTITION BY project_id, token, identifier ORDER BY id) AS until_id FROM consents
) c
WHERE c.until_id IS NOT NULL;

DROP TABLE old_consents, old_states, tokens;

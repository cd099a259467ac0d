-- Writes a group of consents: one round trip, and one transaction of the server that holds the bucket. Raises a
-- serialization failure where data changed since it was read; used keys and existing first states are unique violations.
-- `records` come with their keys, tickets and commitments. `written` has the members
--   firstIdAt, marginMs: of begin_collecting, in milliseconds
--   trace: the `traceparent` of the write
--   hasTickets: whether a record redeems a display ticket
--   versions: per project, the live version that its configurations were read from; null: any
--   choices: the referenced answer combinations, distinct and in lock order
-- `states` are those of more than one record, `past` the states that they replaced, `followed` their number.
CREATE FUNCTION write_consents(written json, records collected_consent_2[], states json, past json, followed integer)
RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  changed integer := 0;
BEGIN
  PERFORM begin_collecting(
    to_timestamp((written ->> 'firstIdAt')::double precision / 1000),
    make_interval(secs => (written ->> 'marginMs')::double precision / 1000));

  INSERT INTO consents (project_id, id, token, collection, identifier, accept, choice, answers, preferences, value,
    language, url, client_at, country, user_agent, version, warnings, created_at, gpc, grade, displayed_at)
  SELECT project_id, id, token, collection, identifier, accept, choice, answers, preferences, value,
    language, url, client_at, country, user_agent, version, warnings, created_at, gpc, grade, displayed_at
  FROM unnest(records);

  INSERT INTO consent_queue (project_id, consent_id, entry, salt, trace)
  SELECT project_id, id, entry, salt, written ->> 'trace' FROM unnest(records);

  INSERT INTO consent_keys (project_id, key, digest, consent_id, expires_at)
  SELECT project_id, key, digest, id, key_ends_at FROM unnest(records) WHERE key IS NOT NULL;

  -- A ticket can be used once, like a key.
  IF (written ->> 'hasTickets')::boolean THEN
    INSERT INTO consent_keys (project_id, key, consent_id, expires_at)
    SELECT project_id, ticket, id, ticket_ends_at FROM unnest(records) WHERE ticket IS NOT NULL;
  END IF;

  IF followed IS NOT NULL THEN
    UPDATE consent_states AS s SET
      collection = n."collection", choice = n."choice", items = n."items", since = n."since",
      consent_id = n."consentId", version = n."version", consents = n."consents"
    FROM json_to_recordset(states) AS n("projectId" text, "token" text, "identifier" text, "collection" text,
      "choice" integer, "items" jsonb, "since" timestamptz, "consentId" uuid, "version" integer,
      "consents" integer, "before" uuid, "consentsBefore" integer)
    -- `identifier || ''` forces look-ups by the primary key: the plan may date from when the tables were empty.
    WHERE s.project_id = n."projectId" AND s.token = n."token" AND s.identifier || '' = n."identifier"
      -- An import may have added older records, which changes the number but not the newest record.
      AND s.consent_id = n."before" AND s.consents = n."consentsBefore";
    GET DIAGNOSTICS changed = ROW_COUNT;

    INSERT INTO past_states (project_id, token, identifier, collection, choice, items, since, consent_id, until_id,
      version)
    SELECT "projectId", "token", "identifier", "collection", "choice", "items", "since", "consentId", "untilId",
      "version"
    FROM json_to_recordset(past) AS p("projectId" text, "token" text, "identifier" text, "collection" text,
      "choice" integer, "items" jsonb, "since" timestamptz, "consentId" uuid, "untilId" uuid, "version" integer);

    INSERT INTO consent_states (project_id, token, identifier, collection, choice, items, since, consent_id, version,
      first_seen_at, consents)
    SELECT "projectId", "token", "identifier", "collection", "choice", "items", "since", "consentId", "version",
      "firstSeenAt", "consents"
    FROM json_to_recordset(states) AS n("projectId" text, "token" text, "identifier" text, "collection" text,
      "choice" integer, "items" jsonb, "since" timestamptz, "consentId" uuid, "version" integer,
      "firstSeenAt" timestamptz, "consents" integer, "before" uuid)
    WHERE "before" IS NULL;
  END IF;

  -- First states, which most are.
  INSERT INTO consent_states (project_id, token, identifier, collection, choice, items, since, consent_id, version,
    first_seen_at, consents)
  SELECT project_id, token, identifier, collection, choice,
    CASE WHEN choice IS NULL THEN (
      SELECT coalesce(jsonb_object_agg(a.key, a.value || jsonb_build_object(
        'since', created_at, 'consentId', id, 'version', version)), '{}')
      FROM jsonb_each(answers) AS a) END,
    created_at, id, version, created_at, 1
  FROM unnest(records) WHERE is_first;

  PERFORM assert_collected(
    changed = coalesce(followed, 0),
    -- Locks the answer combinations that still exist until the commit.
    json_array_length(written -> 'choices') = 0 OR json_array_length(written -> 'choices') = (
      SELECT count(*) FROM (
        SELECT * FROM json_to_recordset(written -> 'choices')
          AS k("projectId" text, "identifier" text, "choice" integer)
        ORDER BY "projectId", "identifier", "choice"
      ) k CROSS JOIN LATERAL (
        SELECT 1 FROM choices c WHERE c.project_id = k."projectId" AND c.identifier = k."identifier"
          AND c.choice = k."choice" LIMIT 1 FOR KEY SHARE
      ) c),
    NOT EXISTS (
      SELECT FROM json_to_recordset(written -> 'versions') AS v("projectId" text, "version" integer)
      WHERE NOT coalesce((
        SELECT o.is_open AND (v."version" IS NULL OR coalesce(o.live_version = v."version", false))
        FROM collecting_projects o WHERE o.project_id = v."projectId"), false)));
END $$;

-- The start of the oldest running transaction that collects on this server, by its clock; the present without one.
-- Any transaction that is not seen takes its lock after `now()`. Transactions of versions before the lock are found by
-- the name of their connection.
CREATE FUNCTION find_collecting_since() RETURNS timestamptz LANGUAGE plpgsql AS $$
BEGIN
  RETURN (
    SELECT least(now(), min(xact_start)) FROM pg_stat_activity
    WHERE datname = current_database() AND (application_name = 'avow collect' OR pid IN (
      SELECT pid FROM pg_locks
      -- Locks of two numbers have objsubid 2.
      WHERE locktype = 'advisory' AND classid = 4711002 AND objsubid = 2)));
END $$;

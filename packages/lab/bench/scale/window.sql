-- Writes the records of fill $1 from the arrival of its visitor $2 to that of its visitor $3 (exclusive), limited
-- to part $4 of $5, with their states and keys. Returns the number of records.
WITH line AS MATERIALIZED (
  SELECT l.*, bench.id_of(l.ms, l.n) AS id, l.from_ms + (l.i + (l.k + 1) * l.g) * l.span_ms / l.s AS until_ms
  FROM bench.lines_of($1::integer, $2::bigint, $3::bigint, $4::integer, $5::integer) l
), state AS (
  SELECT l.*, t.project_id, t.identifier, t.collection, t.state_choice, t.version,
    CASE WHEN t.items IS NOT NULL THEN
      replace(replace(replace(replace(replace(replace(t.items, '@id0@', l.id::text), '@at0@', bench.text_of(l.ms)),
        '@id1@', bench.id_of(b.ms1, l.n)::text), '@at1@', bench.text_of(b.ms1)),
        '@id2@', bench.id_of(b.ms2, l.n)::text), '@at2@', bench.text_of(b.ms2))::jsonb
    END AS items,
    bench.instant_of(l.from_ms + (l.i + (l.k - t.since_back) * l.g) * l.span_ms / l.s) AS since
  FROM line l
  JOIN bench.templates t USING (key)
  CROSS JOIN LATERAL (
    SELECT l.from_ms + (l.i + (l.k - 1) * l.g) * l.span_ms / l.s AS ms1,
      l.from_ms + (l.i + (l.k - 2) * l.g) * l.span_ms / l.s AS ms2
  ) b
), record AS (
  INSERT INTO consents (project_id, id, token, collection, identifier, accept, choice, answers, preferences,
    value, language, url, country, user_agent, gpc, version, warnings, created_at)
  SELECT t.project_id, l.id, l.token, t.collection, t.identifier, t.accept, t.choice, t.answers, t.preferences,
    t.value, t.language, t.url, t.country, t.user_agent, t.gpc, t.version, t.warnings, bench.instant_of(l.ms)
  FROM line l
  JOIN bench.templates t USING (key)
  ORDER BY l.ms
), known AS (
  -- One visitor in three sent the record in a batch; the keys of the others have expired.
  INSERT INTO consent_keys (project_id, key, digest, consent_id, expires_at)
  SELECT t.project_id, sha256(convert_to('id ' || l.id, 'UTF8')), sha256(convert_to(l.token, 'UTF8')), l.id,
    bench.instant_of(l.ms) + f.key_days * interval '1 day'
  FROM line l
  JOIN bench.templates t USING (key)
  JOIN bench.fills f ON f.fill = $1
  WHERE l.n / 4 % 3 = 0 AND bench.instant_of(l.ms) + f.key_days * interval '1 day' > now()
), present AS (
  INSERT INTO consent_states (project_id, token, identifier, collection, choice, items, since, consent_id, version,
    first_seen_at, consents)
  SELECT project_id, token, identifier, collection, state_choice, items, since, id, version,
    bench.instant_of(from_ms + i * span_ms / s), k + 1
  FROM state
  WHERE k = last
  ORDER BY ms
), past AS (
  INSERT INTO past_states (project_id, token, identifier, collection, choice, items, since, consent_id, until_id,
    version)
  SELECT project_id, token, identifier, collection, state_choice, items, since, id, bench.id_of(until_ms, n), version
  FROM state
  WHERE k < last
  ORDER BY ms
)
SELECT count(*)::float8 AS records FROM line;

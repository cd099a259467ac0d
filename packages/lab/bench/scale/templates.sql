-- Creates templates from the stored rows of the samples.
INSERT INTO bench.templates (key, project_id, identifier, collection, accept, choice, answers, preferences,
  value, language, url, country, user_agent, gpc, version, warnings, state_choice, items, since_back)
WITH record AS (
  SELECT s.project, s.form, s.pattern, c.*,
    row_number() OVER (PARTITION BY s.project, s.form, s.pattern ORDER BY c.id) - 1 AS step
  FROM bench.samples s
  JOIN bench.forms f USING (project, form)
  JOIN consents c ON c.project_id = f.project_id AND c.token = s.token AND c.identifier = f.identifier
), state AS (
  SELECT project_id, token, identifier, consent_id, choice, items, since FROM consent_states
  UNION ALL
  SELECT project_id, token, identifier, consent_id, choice, items, since FROM past_states
)
SELECT bench.key_of(r.project, r.form, r.pattern, r.step), r.project_id, r.identifier, r.collection, r.accept,
  r.choice, r.answers, r.preferences, r.value, r.language, r.url, r.country, r.user_agent, r.gpc, r.version, r.warnings,
  s.choice, (
    SELECT jsonb_object_agg(e.key, e.value || jsonb_build_object(
      'consentId', '@id' || r.step - said.step || '@', 'since', '@at' || r.step - began.step || '@'))::text
    FROM jsonb_each(s.items) e
    JOIN record said ON (said.project, said.form, said.pattern) = (r.project, r.form, r.pattern)
      AND said.id = (e.value ->> 'consentId')::uuid
    JOIN record began ON (began.project, began.form, began.pattern) = (r.project, r.form, r.pattern)
      AND began.created_at = (e.value ->> 'since')::timestamptz
  ), r.step - first.step
FROM record r
JOIN state s ON s.project_id = r.project_id AND s.token = r.token AND s.identifier = r.identifier
  AND s.consent_id = r.id
JOIN record first ON (first.project, first.form, first.pattern) = (r.project, r.form, r.pattern)
  AND first.created_at = s.since;

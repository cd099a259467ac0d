-- Gives each configuration without a name one, once: its title as a slug, else its id, made unique in the project. Names
-- that clients have sent stay as they are. The rules are those of modules/vault/documents/names.ts. The current version
-- gets the name too, so that the history shows no change that nobody has made.
DO $$
DECLARE
  doc record;
  base text;
  candidate text;
  n integer;
BEGIN
  FOR doc IN
    SELECT id, project_id, version, body
    FROM documents
    WHERE resource IN ('cookies', 'processings', 'contracts', 'content')
      AND project_id IS NOT NULL
      AND deleted_at IS NULL
      AND (coalesce(jsonb_typeof(body -> 'name'), 'null') <> 'string' OR trim(body ->> 'name') = '')
    ORDER BY created_at, id
  LOOP
    base := coalesce(nullif(trim(doc.body ->> 'title'), ''), doc.body -> 'config' ->> 'title', '');
    base := regexp_replace(normalize(base, NFKD), U&'[\0300-\036F]', '', 'g');
    base := replace(replace(replace(base, 'ß', 'ss'), 'æ', 'ae'), 'Æ', 'ae');
    base := replace(replace(replace(replace(base, 'œ', 'oe'), 'Œ', 'oe'), 'ø', 'o'), 'Ø', 'o');
    base := lower(replace(replace(base, 'ł', 'l'), 'Ł', 'l'));
    base := ltrim(regexp_replace(base, '[^a-z0-9]+', '-', 'g'), '-');
    base := coalesce(nullif(rtrim(left(base, 100), '-'), ''), doc.id);
    candidate := base;
    n := 2;
    WHILE EXISTS (
      SELECT FROM documents
      WHERE project_id = doc.project_id
        AND resource IN ('cookies', 'processings', 'contracts', 'content')
        AND deleted_at IS NULL
        AND body ->> 'name' = candidate
    ) LOOP
      candidate := base || '-' || n;
      n := n + 1;
    END LOOP;
    UPDATE documents SET body = body || jsonb_build_object('name', candidate) WHERE id = doc.id;
    UPDATE document_versions SET body = body || jsonb_build_object('name', candidate)
    WHERE document_id = doc.id AND version = doc.version;
  END LOOP;
END;
$$;

-- The documents that a site has from its template, and the site itself, with its template's document for the project.
CREATE TABLE inherited_documents (
  document_id text COLLATE "C" PRIMARY KEY,
  project_id text COLLATE "C" NOT NULL,
  template_id text COLLATE "C" NOT NULL,
  template_document_id text COLLATE "C" NOT NULL,
  -- The version of the template's document that the site has.
  template_version integer NOT NULL,
  -- The open fields that have a value of the site's own, as pointers.
  overrides text[] NOT NULL
);
CREATE INDEX inherited_documents_project ON inherited_documents (project_id);
CREATE INDEX inherited_documents_template ON inherited_documents (template_id, project_id);

-- Publications of all sites of a template. status: Active, Cancelling, Done or Cancelled.
CREATE TABLE template_publications (
  id text COLLATE "C" PRIMARY KEY,
  template_id text COLLATE "C" NOT NULL,
  status text NOT NULL,
  created_at timestamptz NOT NULL,
  created_by text COLLATE "C" NOT NULL,
  updated_at timestamptz NOT NULL,
  ended_at timestamptz
);
CREATE INDEX template_publications_template ON template_publications (template_id, created_at, id);
-- One running publication of a template at a time.
CREATE UNIQUE INDEX template_publications_active ON template_publications (template_id) WHERE status IN ('Active', 'Cancelling');

-- The sites of a publication with their outcomes. report: the changes and findings, as before it.
CREATE TABLE template_publication_sites (
  publication_id text COLLATE "C" NOT NULL REFERENCES template_publications ON DELETE CASCADE,
  project_id text COLLATE "C" NOT NULL,
  title text NOT NULL,
  status text NOT NULL,
  attempts integer NOT NULL DEFAULT 0,
  retry_at timestamptz,
  publish_job_id text COLLATE "C",
  message text,
  report jsonb,
  ended_at timestamptz,
  PRIMARY KEY (publication_id, project_id)
);
CREATE INDEX template_publication_sites_open ON template_publication_sites (publication_id, project_id)
  WHERE status IN ('Pending', 'Publishing');

-- The project that /demo shows. Written by `npm run demo` on the database itself, never by a request: any account can
-- create a project with the address of the page.
CREATE TABLE demo_project (
  id integer PRIMARY KEY CHECK (id = 1),
  project_id text COLLATE "C" NOT NULL REFERENCES documents (id) ON DELETE CASCADE
);

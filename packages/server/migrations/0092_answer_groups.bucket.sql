-- Answers of a day (UTC) by page, country or vendor, counted from the records in the order of the log. Each dimension
-- of a project and day has a limited number of keys; '' holds the answers with any other. Answers counted before this
-- migration are missing; `avow rebuild --statistics` adds them.
CREATE TABLE answer_groups (
  project_id text COLLATE "C" NOT NULL,
  day timestamptz NOT NULL,
  dimension text COLLATE "C" NOT NULL,
  key text COLLATE "C" NOT NULL,
  accepted integer NOT NULL,
  partly integer NOT NULL,
  refused integer NOT NULL,
  PRIMARY KEY (project_id, dimension, day, key)
) WITH (fillfactor = 70);
CREATE INDEX answer_groups_day ON answer_groups (day);

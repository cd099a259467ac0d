-- What dashboards show, added up by hour (UTC). `quarters` holds each of the numbers for the quarters of the
-- hour, in the order of the columns: all of today's time zones begin their days at one of them, most at the hour.
-- Contains no identifiers of people.

-- Collected records by what they answered, from the log's order; `npm run rebuild -- --statistics` makes
-- them again.
CREATE TABLE answer_counts (
  project_id text COLLATE "C" NOT NULL,
  hour timestamptz NOT NULL,
  identifier text COLLATE "C" NOT NULL,
  accepted integer NOT NULL,
  partly integer NOT NULL,
  refused integer NOT NULL,
  quarters integer[] NOT NULL,
  PRIMARY KEY (project_id, hour, identifier)
) WITH (fillfactor = 70);

-- Displays, and what became of them: answers are added to the quarter of an hour of their display.
CREATE TABLE display_counts (
  project_id text COLLATE "C" NOT NULL,
  hour timestamptz NOT NULL,
  identifier text COLLATE "C" NOT NULL,
  -- That the banner opened with; '' in a box.
  step text COLLATE "C" NOT NULL,
  device text COLLATE "C" NOT NULL,
  shown integer NOT NULL,
  accepted integer NOT NULL,
  partly integer NOT NULL,
  refused integer NOT NULL,
  quarters integer[] NOT NULL,
  PRIMARY KEY (project_id, hour, identifier, step, device)
) WITH (fillfactor = 70);

-- One row: how many of the log's entries are counted, and until when.
CREATE TABLE answer_counts_head (
  id integer PRIMARY KEY CHECK (id = 1),
  leaf bigint NOT NULL,
  counted_until timestamptz
);
INSERT INTO answer_counts_head (id, leaf) VALUES (1, 0);

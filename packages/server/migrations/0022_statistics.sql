-- Counts for dashboards, by hour (UTC). `quarters` has each count for the quarters of the hour, in the order of the
-- columns: in all present time zones a day starts at one of them, in most at the full hour. The tables contain no
-- identifiers of people.

-- Counts of collected records by answer, in the order of the log; `npm run rebuild -- --statistics` recomputes them.
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

-- Counts of displays and of their answers. An answer is counted in the quarter of an hour of its display.
CREATE TABLE display_counts (
  project_id text COLLATE "C" NOT NULL,
  hour timestamptz NOT NULL,
  identifier text COLLATE "C" NOT NULL,
  -- The step with which the banner opened; '' for a form.
  step text COLLATE "C" NOT NULL,
  device text COLLATE "C" NOT NULL,
  shown integer NOT NULL,
  accepted integer NOT NULL,
  partly integer NOT NULL,
  refused integer NOT NULL,
  quarters integer[] NOT NULL,
  PRIMARY KEY (project_id, hour, identifier, step, device)
) WITH (fillfactor = 70);

-- One row: the number of log entries that are counted, and the time up to which they are.
CREATE TABLE answer_counts_head (
  id integer PRIMARY KEY CHECK (id = 1),
  leaf bigint NOT NULL,
  counted_until timestamptz
);
INSERT INTO answer_counts_head (id, leaf) VALUES (1, 0);

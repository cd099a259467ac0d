-- The same counts by day (UTC), written by the statements that write those by hour, so that a year by day reads 24 times
-- fewer rows. Hours are kept for series by hour, and for the offset between a day in UTC and in another time zone.

CREATE TABLE answer_days (
  project_id text COLLATE "C" NOT NULL,
  -- The start of the day.
  day timestamptz NOT NULL,
  identifier text COLLATE "C" NOT NULL,
  accepted integer NOT NULL,
  partly integer NOT NULL,
  refused integer NOT NULL,
  PRIMARY KEY (project_id, day, identifier)
) WITH (fillfactor = 70);
CREATE INDEX answer_days_day ON answer_days (day);

CREATE TABLE display_days (
  project_id text COLLATE "C" NOT NULL,
  day timestamptz NOT NULL,
  identifier text COLLATE "C" NOT NULL,
  step text COLLATE "C" NOT NULL,
  device text COLLATE "C" NOT NULL,
  shown integer NOT NULL,
  accepted integer NOT NULL,
  partly integer NOT NULL,
  refused integer NOT NULL,
  PRIMARY KEY (project_id, day, identifier, step, device)
) WITH (fillfactor = 70);
CREATE INDEX display_days_day ON display_days (day);

INSERT INTO answer_days (project_id, day, identifier, accepted, partly, refused)
SELECT project_id, date_bin('1 day', hour, timestamptz '2000-01-01 00:00Z'), identifier,
  sum(accepted), sum(partly), sum(refused)
FROM answer_counts GROUP BY 1, 2, 3;

INSERT INTO display_days (project_id, day, identifier, step, device, shown, accepted, partly, refused)
SELECT project_id, date_bin('1 day', hour, timestamptz '2000-01-01 00:00Z'), identifier, step, device,
  sum(shown), sum(accepted), sum(partly), sum(refused)
FROM display_counts GROUP BY 1, 2, 3, 4, 5;

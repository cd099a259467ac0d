-- For the nightly deletion of counts older than three years, for all projects at once: the primary keys begin with the
-- project. Their cost for writers is negligible: a row is inserted once an hour, and later updates do not touch the
-- index. Creating them blocks the counting jobs, which buffer their sums as during a database outage; it does not block
-- the collection of consents.
CREATE INDEX answer_counts_hour ON answer_counts (hour);
CREATE INDEX display_counts_hour ON display_counts (hour);

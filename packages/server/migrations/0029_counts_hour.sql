-- Counts of more than three years ago are deleted each night, of all projects at once: the keys begin with the project.
-- Rows are made once an hour for what was shown in it and then added to, which touches no index: these cost writers
-- next to nothing. Who counts waits while they are made, as sums wait for a database that is away; nobody who collects does.
CREATE INDEX answer_counts_hour ON answer_counts (hour);
CREATE INDEX display_counts_hour ON display_counts (hour);

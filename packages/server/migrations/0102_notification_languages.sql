-- A daily mail or the end of a mail makes the row of a user without choices. Its language stays open: null is that of the
-- project.
ALTER TABLE notification_settings ALTER COLUMN language DROP NOT NULL;

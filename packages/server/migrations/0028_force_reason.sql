-- Why an owner publishes in spite of errors of the publish check; null where nothing was said.
ALTER TABLE publish_jobs ADD COLUMN force_reason text;

-- The owner's reason for publishing despite errors of the publish check; null without one.
ALTER TABLE publish_jobs ADD COLUMN force_reason text;

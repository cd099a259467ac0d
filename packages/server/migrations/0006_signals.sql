-- The assurance level of a record, and signals of the browser. Null in existing rows: the log has committed to
-- those records without these fields, and committed content never changes.
ALTER TABLE consents
  -- The assurance level: server or ticketed; null for browser and imported, which follow from the record's origin.
  ADD COLUMN grade text,
  -- Whether the request had the header Sec-GPC: 1; null if there was no request, or the header was not read.
  ADD COLUMN gpc boolean,
  -- The time of the display, proven by a display ticket.
  ADD COLUMN displayed_at timestamptz;

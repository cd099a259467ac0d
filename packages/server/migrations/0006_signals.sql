-- How a record came, and what the browser said beside it. All null in the rows that are there: the log has
-- committed to them without, and what is committed to never changes.
ALTER TABLE consents
  -- server or ticketed; null where the way it came says it: browser, or imported.
  ADD COLUMN grade text,
  -- Whether the request carried Sec-GPC: 1; null where there was no request, or nobody looked.
  ADD COLUMN gpc boolean,
  -- When what was answered had been displayed, as a ticket proves.
  ADD COLUMN displayed_at timestamptz;

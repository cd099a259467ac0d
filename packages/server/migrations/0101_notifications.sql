-- Notifications of users, made from the audit trail. A job deletes rows after 90 days, and beyond the newest 500 of a user.
CREATE TABLE notifications (
  user_id text COLLATE "C" NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  event_id bigint NOT NULL,
  kind text NOT NULL,
  -- The project, or the organization.
  document_id text COLLATE "C" NOT NULL,
  created_at timestamptz NOT NULL,
  read_at timestamptz,
  -- none, sent, or digest: waits for the daily mail.
  mail text NOT NULL,
  PRIMARY KEY (user_id, event_id)
);
CREATE INDEX notifications_unread ON notifications (user_id) WHERE read_at IS NULL;
CREATE INDEX notifications_sent ON notifications (user_id, created_at) WHERE mail = 'sent';
CREATE INDEX notifications_digest ON notifications (user_id, event_id) WHERE mail = 'digest';
CREATE INDEX notifications_age ON notifications (created_at);

-- The position of the last event that notifications were made from. Events from before the upgrade make none.
CREATE TABLE notification_head (
  id boolean PRIMARY KEY DEFAULT true CHECK (id),
  position bigint NOT NULL
);
INSERT INTO notification_head (position) SELECT coalesce(max(position), 0) FROM event_positions;

-- Choices of users. Users without a row have the defaults.
CREATE TABLE notification_settings (
  user_id text COLLATE "C" PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
  language text NOT NULL,
  time_zone text NOT NULL,
  -- now, daily or off by kind, for kinds that differ from the default.
  mails jsonb NOT NULL,
  -- Projects and organizations that notify of nothing.
  muted text[] NOT NULL,
  -- Projects and organizations of the weekly mail.
  weekly text[] NOT NULL,
  -- The day of the last daily mail, and the Monday of the last weekly one, in the time zone.
  digest_on date,
  weekly_on date,
  updated_at timestamptz NOT NULL
);
CREATE INDEX notification_settings_weekly ON notification_settings (user_id) WHERE weekly <> '{}';

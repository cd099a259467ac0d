-- When the operator disabled an account; null: it is open.
ALTER TABLE users ADD COLUMN disabled_at timestamptz;

-- Who is told by address needs their invitations found by it when their account goes.
CREATE INDEX invitations_email ON invitations (lower(email));

-- The time at which the operator disabled the account; null: enabled.
ALTER TABLE users ADD COLUMN disabled_at timestamptz;

-- Deleting an account deletes the invitations to its e-mail address.
CREATE INDEX invitations_email ON invitations (lower(email));

-- A user who signed up with a provider that shares no e-mail address has none. Until now the column had the generated
-- username instead.
ALTER TABLE users ALTER COLUMN email DROP NOT NULL;
UPDATE users SET email = NULL
WHERE email = username AND email NOT LIKE '%@%' AND EXISTS (
  SELECT FROM identities
  WHERE user_id = users.id AND provider <> 'local' AND email ~ ('^' || provider || '-[0-9a-f]{16}$'));

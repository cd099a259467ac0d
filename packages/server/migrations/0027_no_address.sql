-- Who came by a provider that tells no address has none; until now a name made for them stood in its place.
ALTER TABLE users ALTER COLUMN email DROP NOT NULL;
UPDATE users SET email = NULL
WHERE email = username AND email NOT LIKE '%@%' AND EXISTS (
  SELECT FROM identities
  WHERE user_id = users.id AND provider <> 'local' AND email ~ ('^' || provider || '-[0-9a-f]{16}$'));

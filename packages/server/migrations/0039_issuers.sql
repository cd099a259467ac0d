-- The user ids of GitHub and Facebook are unique only for a site, as the subjects of OpenID Connect are for an issuer.
-- Ids that were stored without a site are from the public sites.
UPDATE identities SET subject = CASE provider
    WHEN 'github' THEN 'https://api.github.com|'
    ELSE 'https://graph.facebook.com|'
  END || subject
WHERE provider IN ('github', 'facebook') AND strpos(subject, '|') = 0;

-- Numbers that GitHub and Facebook call people by are those of the site that tells them, as subjects of OpenID providers are
-- their issuer's. Those that were kept without are of the public sites.
UPDATE identities SET subject = CASE provider
    WHEN 'github' THEN 'https://api.github.com|'
    ELSE 'https://graph.facebook.com|'
  END || subject
WHERE provider IN ('github', 'facebook') AND strpos(subject, '|') = 0;

-- Host names of organizations at which clients and visitors reach the service. Links use those that led to it at the
-- last check.
CREATE TABLE brand_domains (
  organization_id text COLLATE "C" PRIMARY KEY REFERENCES documents (id) ON DELETE CASCADE,
  host text COLLATE "C" NOT NULL,
  checked_at timestamptz NOT NULL,
  -- Null if it led to the service.
  fault text
);
CREATE INDEX brand_domains_host ON brand_domains (host);
-- Two organizations cannot have links with one host.
CREATE UNIQUE INDEX brand_domains_found ON brand_domains (host) WHERE fault IS NULL;
CREATE INDEX brand_domains_checked ON brand_domains (checked_at, organization_id);

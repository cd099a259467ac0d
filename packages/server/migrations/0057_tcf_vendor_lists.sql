-- The versions of IAB's vendor list that were fetched from TCF_VENDOR_LIST_URL. The newest one is published; the others are the archive.
CREATE TABLE tcf_vendor_lists (
  version integer PRIMARY KEY,
  list json NOT NULL,
  fetched_at timestamptz NOT NULL,
  -- The newest request that returned this version.
  checked_at timestamptz NOT NULL
);

-- IAB's texts in other languages than English, as of the newest request.
CREATE TABLE tcf_translations (
  language text COLLATE "C" PRIMARY KEY,
  texts json NOT NULL,
  fetched_at timestamptz NOT NULL
);

-- Uploaded files. Storage keeps each content once, under its SHA-256, for any number of assets. Width and height
-- are those of the displayed picture, and of one page of an animation.
CREATE TABLE assets (
  id text COLLATE "C" PRIMARY KEY,
  sha256 text COLLATE "C" NOT NULL,
  original_name text NOT NULL,
  type text NOT NULL,
  reported_type text NOT NULL,
  size integer NOT NULL,
  width integer,
  height integer,
  pages integer,
  dominant_color text,
  created_at timestamptz NOT NULL,
  created_by text COLLATE "C" NOT NULL
);
CREATE INDEX assets_user ON assets (created_by, created_at, id);
CREATE INDEX assets_content ON assets (sha256);

-- Renders of these pictures. A row is inserted before its object is written to storage.
CREATE TABLE asset_renders (
  sha256 text COLLATE "C" NOT NULL,
  digest text COLLATE "C" NOT NULL,
  type text NOT NULL,
  size integer NOT NULL,
  hash text NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (sha256, digest)
);
CREATE INDEX asset_renders_age ON asset_renders (sha256, created_at);

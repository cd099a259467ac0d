-- The generator of bench:scale. The service does not use this schema.
CREATE SCHEMA bench;

-- The projects and their configurations; project 1 has the largest share of the traffic.
CREATE TABLE bench.forms (
  project integer NOT NULL,
  form integer NOT NULL,
  project_id text COLLATE "C" NOT NULL,
  collection text NOT NULL,
  identifier text COLLATE "C" NOT NULL,
  PRIMARY KEY (project, form)
);

-- Visitors whose answers were collected over HTTP: one for each form and pattern of answers.
CREATE TABLE bench.samples (
  project integer NOT NULL,
  form integer NOT NULL,
  pattern integer NOT NULL,
  token text COLLATE "C" NOT NULL,
  PRIMARY KEY (project, form, pattern)
);

-- The stored rows of the samples, one for each step. Generated rows are copies with new ids and times.
-- In `items`, @id0@ and @at0@ stand for the id and the time of the row's own record, @id1@ and @at1@
-- for those of the previous record, and so on.
CREATE TABLE bench.templates (
  key integer PRIMARY KEY,
  project_id text COLLATE "C" NOT NULL,
  identifier text COLLATE "C" NOT NULL,
  collection text COLLATE "C" NOT NULL,
  accept boolean NOT NULL,
  choice integer,
  answers jsonb,
  preferences json,
  value json,
  language text,
  url text,
  country text,
  user_agent text NOT NULL,
  gpc boolean,
  version integer,
  warnings json,
  state_choice integer,
  items text,
  -- The number of records since the answer last changed.
  since_back integer NOT NULL
);

-- The fills. `visitors` arrive evenly within `span_ms` from `from_ms` on; a visitor who answers again does
-- so after `shift` further visitors. Shares and patterns are lower bounds from 0 to 1.
CREATE TABLE bench.fills (
  fill integer PRIMARY KEY,
  base bigint NOT NULL,
  from_ms bigint NOT NULL,
  span_ms bigint NOT NULL,
  visitors bigint NOT NULL,
  shift bigint NOT NULL,
  shares float8[] NOT NULL,
  patterns float8[] NOT NULL,
  lengths integer[] NOT NULL,
  -- The pattern of visitors with many answers: after 8 steps, its last 4 repeat.
  heavy integer NOT NULL,
  key_days integer NOT NULL
);

-- Visitors with many answers, spread over the whole time span.
CREATE TABLE bench.heavies (
  fill integer NOT NULL,
  no integer NOT NULL,
  project integer NOT NULL,
  records bigint NOT NULL,
  PRIMARY KEY (fill, no)
);

-- A deterministic pseudo-random number from 0 (inclusive) to 1 (exclusive).
CREATE FUNCTION bench.part_of(n bigint, salt bigint) RETURNS float8 LANGUAGE sql IMMUTABLE
RETURN (hashint8extended(n, salt) & 2147483647) / 2147483648.0::float8;

CREATE FUNCTION bench.key_of(project integer, form integer, pattern integer, step bigint) RETURNS integer
LANGUAGE sql IMMUTABLE
RETURN ((project * 4 + form) * 32 + pattern) * 8 + step::integer;

-- A UUID version 7 for a time in milliseconds.
CREATE FUNCTION bench.id_of(ms bigint, n bigint) RETURNS uuid LANGUAGE sql IMMUTABLE
RETURN (lpad(to_hex(ms), 12, '0') || to_hex(28672 | (hashint8extended(n, ms) & 4095))
  || to_hex((hashint8extended(n, ms + 1) & 4611686018427387903) | (-9223372036854775808)))::uuid;

CREATE FUNCTION bench.instant_of(ms bigint) RETURNS timestamptz LANGUAGE sql IMMUTABLE
RETURN timestamptz '1970-01-01 00:00:00+00' + ms * interval '1 millisecond';

-- A time in the format of `items`.
CREATE FUNCTION bench.text_of(ms bigint) RETURNS text LANGUAGE sql STABLE
RETURN to_char(bench.instant_of(ms) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"');

CREATE FUNCTION bench.digit_of(n bigint) RETURNS text LANGUAGE sql IMMUTABLE
RETURN substr('0123456789abcdefghijklmnopqrstuvwxyz', (n % 36)::integer + 1, 1);

-- A token in the format of the service: the minute in base 36, then 22 URL-safe characters.
CREATE FUNCTION bench.token_of(ms bigint, n bigint) RETURNS text LANGUAGE sql IMMUTABLE
RETURN bench.digit_of(ms / 60000 / 60466176) || bench.digit_of(ms / 60000 / 1679616)
  || bench.digit_of(ms / 60000 / 46656) || bench.digit_of(ms / 60000 / 1296)
  || bench.digit_of(ms / 60000 / 36) || bench.digit_of(ms / 60000)
  || translate(rtrim(encode(decode(md5(n::text), 'hex'), 'base64'), '='), '+/', '-_');

-- The records of a fill from the arrival of its visitor `first` to that of its visitor `next` (exclusive).
-- The time of record k is from_ms + late + (i + k * g) * span_ms / s.
CREATE FUNCTION bench.lines_of(fill integer, first bigint, next bigint, part integer, parts integer)
RETURNS TABLE (n bigint, token text, key integer, ms bigint, k bigint, last bigint, i bigint, g bigint,
  s bigint, from_ms bigint, span_ms bigint)
LANGUAGE sql STABLE
BEGIN ATOMIC
  SELECT a.v * 4 + a.form, bench.token_of(a.from_ms + a.i * a.span_ms / a.s, a.v),
    bench.key_of(width_bucket(bench.part_of(a.v, 1), a.shares), a.form, a.pattern, a.k),
    a.from_ms + a.late + (a.i + a.k * a.g) * a.span_ms / a.s, a.k,
    least(a.lengths[a.pattern + 1] - 1, (a.s - 1 - a.i) / a.g), a.i, a.g, a.s, a.from_ms + a.late, a.span_ms
  FROM (
    SELECT v.*, width_bucket(bench.part_of(v.v * 4 + v.form, 3), v.patterns) - 1 AS pattern
    FROM (
      SELECT f.base + i AS v, i, k.k, f.shift AS g, f.visitors AS s, f.from_ms, f.span_ms, f.shares, f.patterns,
        f.lengths, o.other * 20000 AS late,
        (width_bucket(bench.part_of(f.base + i, 2), ARRAY[0, 0.7, 0.9]::float8[]) - 1 + o.other) % 3 AS form
      FROM bench.fills f
      CROSS JOIN (VALUES (0::bigint), (1), (2)) AS k (k)
      CROSS JOIN LATERAL generate_series(greatest(lines_of.first - k.k * f.shift, 0),
        least(lines_of.next - k.k * f.shift, f.visitors) - 1) AS i
      -- One visitor in eight answers a second form, 20 seconds after the first.
      CROSS JOIN (VALUES (0), (1)) AS o (other)
      WHERE f.fill = lines_of.fill AND i % lines_of.parts = lines_of.part
        AND (o.other = 0 OR bench.part_of(f.base + i, 4) < 0.125)
    ) v
  ) a
  WHERE a.lengths[a.pattern + 1] > a.k
  UNION ALL
  SELECT (f.base + 500000000 + h.no) * 4, bench.token_of(f.from_ms, f.base + 500000000 + h.no),
    bench.key_of(h.project, 0, f.heavy, CASE WHEN k < 8 THEN k ELSE 4 + k % 4 END),
    f.from_ms + h.no * 1000 + k * f.span_ms / h.records, k, h.records - 1, 0, 1, h.records,
    f.from_ms + h.no * 1000, f.span_ms
  FROM bench.fills f
  JOIN bench.heavies h ON h.fill = f.fill
  CROSS JOIN LATERAL generate_series((lines_of.first * h.records + f.visitors - 1) / f.visitors,
    (lines_of.next * h.records + f.visitors - 1) / f.visitors - 1) AS k
  WHERE f.fill = lines_of.fill AND h.no % lines_of.parts = lines_of.part;
END;

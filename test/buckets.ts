import { sql } from "kysely";
import { createBucket } from "../packages/server/platform/db/buckets/create-bucket.ts";
import {
  HOME,
  insertBucket,
  listBucketRows,
  openOtherBuckets,
} from "../packages/server/platform/db/buckets/directory-store.ts";
import type { DataDb } from "../packages/server/platform/db/db.ts";
import { bucketTables } from "../packages/server/platform/db/planes.ts";

/** The bucket of all projects, in tests whose projects are in one. */
export const TEST_BUCKET = "avow_b1";
/** The schema with a view of each table of buckets, which has the rows of all of them. */
export const ALL_BUCKETS = "all_buckets";

/**
 * Writes a row of a view to the table of its project's bucket. Rows are identified by the table's primary key, or by all
 * columns with "id" in their names.
 */
const createTrigger = `
  CREATE FUNCTION ${ALL_BUCKETS}.write_row() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE
    bucket text;
    matches text;
    changed jsonb := to_jsonb(CASE WHEN TG_OP = 'DELETE' THEN OLD ELSE NEW END);
  BEGIN
    bucket := (SELECT p.bucket FROM public.project_buckets p WHERE p.project_id = changed ->> 'project_id');
    IF bucket IS NULL AND changed ->> 'project_id' IS NOT NULL THEN
      -- As the service places a project that it is first asked for.
      INSERT INTO public.project_buckets (project_id, bucket)
      SELECT changed ->> 'project_id',
        names[1 + (hashtextextended(changed ->> 'project_id', 0) & 2147483647) % cardinality(names)]
      FROM (SELECT array_agg(name ORDER BY name) AS names FROM public.buckets WHERE takes_projects) taking
      ON CONFLICT (project_id) DO NOTHING;
      bucket := (SELECT p.bucket FROM public.project_buckets p WHERE p.project_id = changed ->> 'project_id');
    END IF;
    bucket := coalesce(bucket, 'avow_b1');
    IF TG_OP <> 'INSERT' THEN
      SELECT string_agg(format('x.%1$I IS NOT DISTINCT FROM ($1).%1$I', a.attname), ' AND ') INTO matches
      FROM pg_attribute a
      WHERE a.attrelid = format('public.%I', TG_TABLE_NAME)::regclass AND a.attnum > 0 AND coalesce(
        a.attnum = ANY ((SELECT i.indkey FROM pg_index i WHERE i.indrelid = a.attrelid AND i.indisprimary)::int2[]),
        a.attname LIKE '%id');
      EXECUTE format('DELETE FROM %I.%I x WHERE %s', bucket, TG_TABLE_NAME, matches) USING OLD;
    END IF;
    IF TG_OP <> 'DELETE' THEN
      EXECUTE format('INSERT INTO %I.%I SELECT ($1).*', bucket, TG_TABLE_NAME) USING NEW;
    END IF;
    RETURN CASE WHEN TG_OP = 'DELETE' THEN OLD ELSE NEW END;
  END $$`;

/** Creates `count` buckets that take all projects. */
export async function createTestBuckets(db: DataDb, count: number): Promise<void> {
  for (let number = 1; number <= count; number += 1) {
    await createBucket(db, `avow_b${number}`);
    await insertBucket(db, `avow_b${number}`);
  }
  await openOtherBuckets(db);
}

/** Places all projects in one bucket. */
export async function useTestBucketOnly(db: DataDb): Promise<void> {
  await sql`UPDATE buckets SET takes_projects = (name = ${TEST_BUCKET})`.execute(db);
}

/** Creates views of what all buckets hold, for tests that read and write rows. */
export async function createTestViews(db: DataDb): Promise<void> {
  const schemas = (await listBucketRows(db)).map(({ name }) => name);
  await sql`CREATE SCHEMA ${sql.id(ALL_BUCKETS)}`.execute(db);
  await sql.raw(createTrigger).execute(db);
  for (const table of bucketTables) {
    // The buckets' own state has one row each, of which tests want the first.
    const of = table === "answer_counts_head" ? [schemas.find((name) => name !== HOME)] : schemas;
    const parts = of.map((schema) => sql`SELECT * FROM ${sql.table(`${schema}.${table}`)}`);
    await sql`
      CREATE VIEW ${sql.table(`${ALL_BUCKETS}.${table}`)} AS ${sql.join(parts, sql` UNION ALL `)}`.execute(
      db,
    );
    await sql`
      CREATE TRIGGER write_row INSTEAD OF INSERT OR UPDATE OR DELETE ON ${sql.table(`${ALL_BUCKETS}.${table}`)}
      FOR EACH ROW EXECUTE FUNCTION ${sql.table(`${ALL_BUCKETS}.write_row`)}()`.execute(db);
  }
}

import { ask } from "../measure/database.ts";

/** The rows that its route writes for a new visitor. Domain, policy and purposes already exist. */
export interface Rows {
  subjects: number;
  consents: number;
}

export async function countRows(databaseUrl: string): Promise<Rows> {
  const statement = `SELECT (SELECT count(*)::int FROM subject) AS subjects,
    (SELECT count(*)::int FROM consent) AS consents`;
  const [rows] = await ask<Rows>(databaseUrl, statement);
  return rows ?? { subjects: 0, consents: 0 };
}

/** Deletes all visitors without leaving dead rows. */
export async function removeVisitors(databaseUrl: string): Promise<void> {
  await ask(databaseUrl, `TRUNCATE subject, consent, "auditLog"`);
}

/**
 * Stores visitors like its route: each row is a copy of a row that the route wrote, with new ids and
 * times. `names[i]` gets the rows of `templates[i % templates.length]`.
 */
export async function copyVisitors(
  databaseUrl: string,
  { names, templates }: { names: readonly string[]; templates: readonly string[] },
): Promise<void> {
  await ask(
    databaseUrl,
    `INSERT INTO subject
    SELECT made.*
    FROM unnest($1::text[]) WITH ORDINALITY AS given (name, n)
    JOIN subject template
      ON template.id = 'sub_' || ($2::text[])[(n - 1) % cardinality($2::text[]) + 1]
    CROSS JOIN LATERAL jsonb_populate_record(template, jsonb_build_object(
      'id', 'sub_' || name,
      'externalId', 'user_' || name,
      'createdAt', template."createdAt" - n * interval '1 second',
      'updatedAt', template."updatedAt" - n * interval '1 second')) AS made`,
    [names, templates],
  );
  // Its consent ids have 26 characters after the prefix, and also begin with the time.
  await ask(
    databaseUrl,
    `INSERT INTO consent
    SELECT made.*
    FROM unnest($1::text[]) WITH ORDINALITY AS given (name, n)
    JOIN consent template
      ON template."subjectId" = 'sub_' || ($2::text[])[(n - 1) % cardinality($2::text[]) + 1]
    CROSS JOIN LATERAL jsonb_populate_record(template, jsonb_build_object(
      'id', 'cns_111D5h' || name,
      'subjectId', 'sub_' || name,
      'givenAt', template."givenAt" - n * interval '1 second')) AS made`,
    [names, templates],
  );
  await ask(databaseUrl, "VACUUM (ANALYZE)");
}

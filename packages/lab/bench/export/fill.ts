import { ask } from "../measure/database.ts";
import { openAvow } from "../measure/service.ts";
import { type Site, setUpShop } from "../measure/site.ts";

const BATCH = 100_000;

/** Creates a project with `count` records, with a service that stops afterwards. */
export async function setUpFilled(
  folder: string,
  databaseUrl: string,
  count: number,
): Promise<Site> {
  await using avow = await openAvow(folder, databaseUrl);
  const site = await setUpShop(avow.url);
  await fillRecords(site, { databaseUrl, count });
  return site;
}

/**
 * Adds records to the site's project until it has `count`: copies of its visitors' records in rotation,
 * each with a new id and token. Adds only records, because exports read nothing else.
 */
async function fillRecords(
  site: Site,
  { databaseUrl, count }: { databaseUrl: string; count: number },
): Promise<void> {
  const { projectId, identifier, consents } = site;
  const client = site.client.withToken(undefined);
  for (const json of consents)
    await client.send(`/v1/app/consents/${projectId}/cookies/${identifier}`, { json });
  const startMs = Date.now() - 60_000;
  for (let from = consents.length; from < count; from += BATCH) {
    process.stderr.write(
      `  filling, ${from.toLocaleString("en")} of ${count.toLocaleString("en")} …\n`,
    );
    const values = [projectId, from, Math.min(from + BATCH, count) - 1, startMs, count];
    await ask(databaseUrl, statement, values);
  }
  await ask(databaseUrl, "VACUUM ANALYZE consents");
}

/** Times within one past minute, in the order of the numbers. */
const statement = `
  WITH patterns AS (
    SELECT *, row_number() OVER (ORDER BY id) - 1 AS pattern, count(*) OVER () AS patterns
    FROM (SELECT * FROM consents WHERE project_id = $1 ORDER BY id DESC LIMIT 4) c
  )
  INSERT INTO consents (project_id, id, token, collection, identifier, accept, choice, answers, preferences,
    value, language, url, client_at, country, user_agent, gpc, version, warnings, created_at)
  SELECT project_id,
    (lpad(to_hex($4::bigint + n * 50000 / $5::bigint), 12, '0') || '70008000' || lpad(to_hex(n), 12, '0'))::uuid,
    'bench-' || md5(n::text), collection, identifier, accept, choice, answers, preferences, value, language,
    url, client_at, country, user_agent, gpc, version, warnings,
    to_timestamp(($4::bigint + n * 50000 / $5::bigint) / 1000.0)
  FROM generate_series($2::bigint, $3::bigint) n JOIN patterns ON pattern = n % patterns`;

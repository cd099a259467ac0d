import { sql } from "kysely";
import { service } from "../harness.ts";
import type { Site } from "./site.ts";

/** Fields of a record that is inserted into the table. */
export interface TestRecord {
  token?: string;
  identifier?: string;
  collection?: string;
  accept?: boolean;
  preferences?: unknown;
  value?: unknown;
  language?: string | null;
  url?: string | null;
  clientAt?: string | null;
  country?: string | null;
  warnings?: object[];
  version?: number | null;
}

/** Age of the first inserted record: older than what is still being collected. */
const AGO_MS = 60_000;
let sequence = 0;

/** Inserts records into a project, a millisecond apart, as if collected; returns their ids. */
export async function putRecords(
  site: Site,
  records: readonly TestRecord[],
  firstMs = Date.now() - AGO_MS,
): Promise<string[]> {
  const ids: string[] = [];
  const rows = records.map((record, index) => {
    const { ms, id } = newPlace(firstMs + index);
    ids.push(id);
    return {
      token: `visitor-${index}`,
      identifier: site.cookies,
      collection: "cookies",
      accept: true,
      preferences: null,
      value: null,
      language: null,
      url: null,
      clientAt: null,
      country: null,
      version: null,
      warnings: [],
      id,
      createdAt: new Date(ms).toISOString(),
      ...record,
    };
  });
  await sql`
    INSERT INTO consents (project_id, id, token, collection, identifier, accept, preferences, value,
      language, url, client_at, country, user_agent, version, warnings, created_at)
    SELECT ${site.id}, id, token, collection, identifier, accept, preferences, value, language, url,
      "clientAt", country, 'Firefox', version, warnings, "createdAt"
    FROM json_to_recordset(${JSON.stringify(rows)}::json) AS r(id uuid, token text, collection text,
      identifier text, accept boolean, preferences json, value json, language text, url text,
      "clientAt" timestamptz, country text, version integer, warnings json, "createdAt" timestamptz)
  `.execute(service.data);
  return ids;
}

function newPlace(ms: number): { ms: number; id: string } {
  sequence += 1;
  const hex = ms.toString(16).padStart(12, "0");
  const rest = sequence.toString(16).padStart(12, "0");
  return { ms, id: `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-${rest}` };
}

/** Inserts `count` similar records into a project, all within the past minute, by one statement. */
export async function fillRecords(site: Site, count: number, value: string): Promise<void> {
  const ms = Date.now() - AGO_MS;
  await sql`
    INSERT INTO consents (project_id, id, token, collection, identifier, accept, preferences, value,
      user_agent, warnings, created_at)
    SELECT ${site.id}, (lpad(to_hex(${ms}::bigint + n::bigint * 50000 / ${count}), 12, '0') || '70008000' ||
      lpad(to_hex(n), 12, '0'))::uuid, 'visitor-' || n, 'cookies', ${site.cookies}, n % 3 <> 0,
      json_build_object('vendors', json_build_object('matomo', n % 2 = 0)), to_json(${value}::text),
      'Firefox', '[]', to_timestamp((${ms}::bigint + n::bigint * 50000 / ${count}) / 1000.0)
    FROM generate_series(1, ${count}) n
  `.execute(service.data);
}

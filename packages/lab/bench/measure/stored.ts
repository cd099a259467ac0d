import { ask } from "./database.ts";
import type { Measure } from "./load.ts";
import { nameOf } from "./requests.ts";
import type { Site } from "./site.ts";

const SENT_AGAIN = 200;

interface Stored {
  records: number;
  ids: number;
  tokens: number;
}

/** The number of stored records of a project. */
async function countStored(databaseUrl: string, projectId: string): Promise<Stored> {
  const statement = `
    SELECT count(*)::int AS records, count(DISTINCT id)::int AS ids, count(DISTINCT token)::int AS tokens
    FROM consents WHERE project_id = $1`;
  const [stored] = await ask<Stored>(databaseUrl, statement, [projectId]);
  if (!stored) throw new Error("The database counted nothing.");
  return stored;
}

/**
 * Checks that every consent with a 201 is stored once: as many records as such responses (more only from requests without a
 * response), each with a unique id and, since every request is of a new visitor, a unique token. Repeated requests with the
 * same idempotency keys must add nothing. Returns a summary; throws if a check fails.
 */
export async function assertStored(given: {
  databaseUrl: string;
  site: Site;
  /** All measurements of the service. */
  measures: readonly Measure[];
  /** The run whose names are the idempotency keys; the first key is of the site's first consent. */
  run: string;
  url: string;
}): Promise<string> {
  const { databaseUrl, site, measures } = given;
  const answered = measures.reduce((sum, measured) => sum + measured.answered, 0);
  const unanswered = measures.reduce((sum, { failures }) => sum + failures, 0);
  const stored = await countStored(databaseUrl, site.projectId);
  const { records, ids, tokens } = stored;
  if (records < answered || records > answered + unanswered)
    throw new Error(
      `${answered} requests returned 201 and ${unanswered} another status or nothing, but ${records} consents are stored.`,
    );
  if (ids !== records || tokens !== records)
    throw new Error(
      `${records} records have ${ids} ids and ${tokens} tokens: some are there twice.`,
    );
  await sendAgain(given);
  const after = await countStored(databaseUrl, site.projectId);
  if (after.records !== records)
    throw new Error(`Requests sent again added ${after.records - records} records.`);
  const [accepted, kept] = [answered, records].map((count) => count.toLocaleString("en"));
  return `${accepted} returned 201, ${kept} stored, none twice; ${SENT_AGAIN} sent again got their first answer and added none.`;
}

/** Sends the first requests again; each must return the stored response of its key. */
async function sendAgain({ site, run, url }: { site: Site; run: string; url: string }) {
  for (let n = 0; n < SENT_AGAIN; n++) {
    const answer = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json", "idempotency-key": nameOf(run, n) },
      body: JSON.stringify(site.consents[n % site.consents.length]),
    });
    const isReplayed = answer.headers.get("idempotency-replayed") === "true";
    const text = await answer.text();
    if (answer.status !== 201 || !isReplayed)
      throw new Error(`A repeated request returned ${answer.status}: ${text.slice(0, 500)}`);
  }
}

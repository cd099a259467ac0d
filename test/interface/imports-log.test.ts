import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { sql } from "kysely";
import { service } from "../harness.ts";
import { openAnotherService } from "./another-service.ts";
import { countsOf, importFile, ndjson, send, toCsv, toNdjson, waitForEnd } from "./imports.ts";
import { assertStatesMatchRecords } from "./collector.ts";
import { assertProven, waitForProof } from "./proofs.ts";
import { type Site, newSite, publish, readToken } from "./site.ts";

const WAIT_MS_MAX = 30_000;

interface Logged {
  records: number;
  places: number;
  leaves: number;
  waiting: number;
}

/** Number of a project's records, of its leaves in the log, and of its queued records. */
async function countLogged({ id }: Site): Promise<Logged> {
  const { rows } = await sql<Logged>`
    SELECT (SELECT count(*)::integer FROM consents WHERE project_id = ${id}) AS records,
      (SELECT count(*)::integer FROM consent_salts WHERE project_id = ${id}) AS places,
      (SELECT count(DISTINCT leaf)::integer FROM consent_salts WHERE project_id = ${id}) AS leaves,
      (SELECT count(*)::integer FROM consent_queue WHERE project_id = ${id}) AS waiting`.execute(
    service.data,
  );
  const [counted] = rows;
  assert.ok(counted);
  return counted;
}

async function waitForLog(site: Site): Promise<Logged> {
  for (const until = performance.now() + WAIT_MS_MAX; ;) {
    const counted = await countLogged(site);
    if (counted.waiting === 0) return counted;
    assert.ok(performance.now() < until, JSON.stringify(counted));
    await delay(50);
  }
}

describe("the log", () => {
  it("commits to imported records as they are stored, whatever their content", async () => {
    const site = await newSite();
    await publish(site);
    const preferences = { vendors: { matomo: true, unknown: false } };
    const more = { language: "fr", url: "https://shop.example/a", timestamp: 1_700_000_000_000 };
    const lines = [
      { token: "plain" },
      { token: "plain-too", accept: false },
      { token: 'quote"back\\é“😀' },
      { token: "vendors", preferences, date: new Date().toISOString() },
      { token: "vendors-too", preferences, date: new Date().toISOString() },
      { token: "value", value: { b: 1.5, a: ["\u0001é", null] } },
      { token: "more", preferences, ...more },
      { token: "twice", date: "2025-01-01T00:00:00.000Z" },
      { token: "twice", accept: false, date: "2025-01-02T00:00:00.000Z" },
    ];
    const job = await importFile(site, toNdjson(site, lines), ndjson);
    assert.equal(job.imported, lines.length, JSON.stringify(job));
    for (const token of new Set(lines.map((line) => line.token))) {
      const { history } = (await readToken(site, token)).body;
      assert.ok(history.length > 0, token);
      for (const { consentId, accept } of history) {
        const record = await assertProven(await waitForProof(consentId, token));
        const { grade, token: imported } = record;
        assert.deepEqual(
          { imported, grade, accept: record["accept"] },
          { imported: token, grade: "imported", accept },
        );
      }
    }
    const { places, leaves, waiting } = await countLogged(site);
    assert.deepEqual([places, leaves, waiting], [lines.length, lines.length, 0]);
  });

  it("has one leaf for each record that two nodes import concurrently from one file", async () => {
    const site = await newSite();
    const count = 6_000;
    const lines = Array.from({ length: count }, (_, at) => ({
      token: `t${at % 5_000}`,
      accept: at % 3 > 0,
      date: new Date(Date.UTC(2025, 0, 1) + at * 1_000).toISOString(),
    }));
    const file = toCsv(site, lines);
    await using _other = await openAnotherService(service.databaseUrl);
    const sent = await Promise.all([send(site, file), send(site, file)]);
    const jobs = await Promise.all(sent.map(({ body }) => waitForEnd(site, body.links.self)));
    for (const job of jobs) {
      const { status, read, imported, known } = countsOf(job);
      assert.deepEqual([status, read, imported + known], ["Done", count, count]);
    }
    assert.equal(
      jobs.reduce((sum, { imported }) => sum + imported, 0),
      count,
    );
    assert.equal(await assertStatesMatchRecords(site.id), count);
    assert.deepEqual(await waitForLog(site), {
      records: count,
      places: count,
      leaves: count,
      waiting: 0,
    });
  });
});

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import canonicalize from "canonicalize";
import * as fc from "fast-check";
import { sql } from "kysely";
import { service } from "../harness.ts";
import { type LineIn, countsOf, importFile, ndjson, toCsv, toNdjson } from "./imports.ts";
import { assertStatesMatchRecords, openNode } from "./collector.ts";
import { type Site, collect, create, newSite, publish, readToken, toCookies } from "./site.ts";

const DAY_MS = 86_400_000;

function daysAgo(days: number): string {
  return new Date(Date.now() - days * DAY_MS).toISOString();
}

async function statusOf(site: Site, token: string, name: string): Promise<string> {
  const { body } = await readToken(site, token);
  return body.state.find((entry: { name: string }) => entry.name === name)?.status;
}

async function countRecords(site: Site): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*)::integer AS count FROM consents WHERE project_id = ${site.id}`.execute(
    service.data,
  );
  return rows[0]?.count ?? 0;
}

describe("an imported record is ordered by its date", () => {
  it("before a collected one: the newer answer is current, and the older one is in the history", async () => {
    const site = await newSite();
    await collect(site, "cookies", site.cookies, { token: "a", accept: false });
    assert.equal(await statusOf(site, "a", "Matomo"), "refused");
    const job = await importFile(
      site,
      toCsv(site, [{ token: "a", accept: true, date: daysAgo(10) }]),
    );
    assert.equal(job.imported, 1);
    // Refused after it was accepted.
    assert.equal(await statusOf(site, "a", "Matomo"), "withdrawn");
    assert.equal((await readToken(site, "a")).body.history.length, 2);
    assert.equal(await assertStatesMatchRecords(site.id), 2);
  });

  it("between two others, and as of that instant", async () => {
    const site = await newSite();
    const line = (days: number, accept: boolean): LineIn => ({
      token: "b",
      accept,
      date: daysAgo(days),
    });
    await importFile(site, toCsv(site, [line(30, true), line(10, true)]));
    await importFile(site, toCsv(site, [line(20, false)]));
    assert.equal(await assertStatesMatchRecords(site.id), 3);
    const at = `?at=${daysAgo(15)}`;
    const { body } = await readToken(site, "b", at);
    const matomo = body.state.find((entry: { name: string }) => entry.name === "Matomo");
    assert.equal(matomo.status, "withdrawn");
    assert.equal(await statusOf(site, "b", "Matomo"), "accepted");
  });

  it("after a collected one, in any order of the file's lines", async () => {
    const site = await newSite();
    await importFile(site, toCsv(site, [{ token: "c", accept: true, date: daysAgo(40) }]));
    const lines = [3, 1, 2].map((days) => ({
      token: "c",
      accept: days !== 1,
      date: daysAgo(days),
    }));
    await importFile(site, toCsv(site, lines));
    assert.equal(await statusOf(site, "c", "Matomo"), "withdrawn");
    assert.equal(await assertStatesMatchRecords(site.id), 4);
  });

  it("for the version that was live at its date, with its number; before the first, none", async () => {
    const site = await newSite();
    await publish(site);
    service.clock.advance(2 * DAY_MS);
    try {
      const vendors = [{ name: "matomo", title: "Matomo", domain: "other.example", type: "ads" }];
      const changed = await service.fetch(`/v1/vault/cookies/${site.cookies}`, {
        token: site.token,
        method: "PATCH",
        json: { steps: [{ name: "analytics", layout: "category", vendors }] },
      });
      assert.equal(changed.status, 200, JSON.stringify(changed.body));
      await publish(site);
      service.clock.advance(DAY_MS);
      const now = service.clock.now().getTime();
      const at = (days: number) => new Date(now - days * DAY_MS).toISOString();
      const lines = [10, 2, 0.5].map((days) => ({ token: `days-${days}`, date: at(days) }));
      const job = await importFile(site, toCsv(site, lines));
      assert.deepEqual(countsOf(job), {
        status: "Done",
        read: 3,
        imported: 3,
        known: 0,
        refused: 0,
      });
      const versions = [];
      const statuses = [];
      for (const { token } of lines) {
        versions.push((await readToken(site, token)).body.history[0].version);
        statuses.push(await statusOf(site, token, "Matomo"));
      }
      assert.deepEqual(versions, [null, 1, 2]);
      assert.deepEqual(statuses, ["accepted", "superseded", "accepted"]);
    } finally {
      service.clock.reset();
    }
  });

  it("for a configuration that was deleted after its publication", async () => {
    const site = await newSite();
    await publish(site);
    const other = await create(site.token, "cookies", toCookies(site.id, { title: "Other" }));
    await service.fetch(`/v1/vault/cookies/${site.cookies}`, {
      token: site.token,
      method: "DELETE",
    });
    await publish(site);
    const lines = [{ token: "d" }, { token: "e", identifier: other }];
    assert.equal((await importFile(site, toCsv(site, lines))).imported, 2);
  });

  it("with every character that a file may contain", async () => {
    const site = await newSite();
    const token = 'back\\slash \\N \\t "quoted"; ünï 😀';
    const value = { text: "tab\t, lines\r\n\n, \\N, \\., \u0007\u2028" };
    const preferences = { vendors: { "a\\b\tc": true }, tcString: "x\\y" };
    const more = { language: "en", url: "https://shop.example/a?b", timestamp: daysAgo(1) };
    const line = { token, date: daysAgo(1), value, preferences, ...more };
    assert.equal((await importFile(site, toNdjson(site, [line]), ndjson)).imported, 1);
    const { body } = await service.fetch(`/v1/app/consents/${site.id}`, { token: site.token });
    assert.equal(body.length, 1);
    const [record] = body;
    assert.equal(record.token, token);
    assert.deepEqual(record.value, value);
    assert.deepEqual(record.preferences, preferences);
    assert.equal(record.createdAt, line.date);
    assert.equal(record.timestamp, more.timestamp);
    assert.equal(record.warnings.length, 1);
    assert.equal(await assertStatesMatchRecords(site.id), 1);
  });

  it("in a configuration without free numbers for answer combinations", async () => {
    const site = await newSite();
    await sql`INSERT INTO choices (project_id, identifier, choice, digest, items)
      SELECT ${site.id}, ${site.cookies}, n, 'full ' || n, '{}' FROM generate_series(1, 300) n`.execute(
      service.data,
    );
    const lines = [true, false].map((accept, at) => ({
      token: `full-${at}`,
      accept,
      date: daysAgo(1),
    }));
    assert.equal((await importFile(site, toCsv(site, lines))).imported, 2);
    assert.equal(await statusOf(site, "full-0", "Matomo"), "accepted");
    assert.equal(await assertStatesMatchRecords(site.id), 2);
  });

  it("with warnings for vendors that were not offered", async () => {
    const site = await newSite();
    const preferences = { vendors: { matomo: true, unheard: true } };
    await importFile(site, toCsv(site, [{ token: "w", preferences, date: daysAgo(1) }]));
    const [record] = (await readToken(site, "w")).body.history;
    assert.equal(record.warnings[0].path, "/preferences/vendors/unheard");
  });

  it("as known when it was collected here and exported, as CSV or as NDJSON", async () => {
    const site = await newSite();
    const bodies = [
      { accept: true, preferences: { vendors: { matomo: true, chat: false } } },
      { accept: false, value: { name: "Ada" } },
      { accept: true },
    ];
    for (const [at, body] of bodies.entries())
      await collect(site, "cookies", site.cookies, { token: `own-${at % 2}`, ...body });
    const { body: records } = await service.fetch(`/v1/app/consents/${site.id}`, {
      token: site.token,
    });
    const lines = records.map((record: LineIn & { createdAt: string }) => ({
      token: record.token,
      accept: record.accept,
      date: record.createdAt,
      preferences: record.preferences,
      value: record.value,
    }));
    const csv = await importFile(site, toCsv(site, lines));
    assert.deepEqual(countsOf(csv), { status: "Done", read: 3, imported: 0, known: 3, refused: 0 });
    const own = records.map((record: object) => `${JSON.stringify(record)}\n`).join("");
    const json = await importFile(site, own, ndjson);
    assert.deepEqual(countsOf(json), {
      status: "Done",
      read: 3,
      imported: 0,
      known: 3,
      refused: 0,
    });
    const elsewhere = await newSite();
    const moved = own.replaceAll(site.id, elsewhere.id).replaceAll(site.cookies, elsewhere.cookies);
    assert.equal((await importFile(elsewhere, moved, ndjson)).imported, 3);
    const there = await service.fetch(`/v1/app/consents/${elsewhere.id}`, {
      token: elsewhere.token,
    });
    const ids = (all: { consentId: string }[]) => all.map(({ consentId }) => consentId);
    assert.deepEqual(ids(there.body), ids(records));
  });

  it("also when two lines have one consentId: the second gets an id of its own", async () => {
    const site = await newSite();
    const date = daysAgo(1);
    const time = Date.parse(date).toString(16).padStart(12, "0");
    const consentId = `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-000000000001`;
    const lines = ["x", "y", "z"].map((token) => ({ token, date, consentId }));
    const file = toNdjson(site, lines);
    assert.equal((await importFile(site, file, ndjson)).imported, 3);
    assert.equal((await importFile(site, file, ndjson)).known, 3);
    assert.equal(await assertStatesMatchRecords(site.id), 3);
  });
});

describe("importing any records in any parts", () => {
  it("derives the states from the records, and stores each record once", async () => {
    const answer = fc.record({
      token: fc.constantFrom("t1", "t2", "t3"),
      days: fc.integer({ min: 1, max: 400 }),
      accept: fc.boolean(),
      vendors: fc.option(fc.dictionary(fc.constantFrom("matomo", "chat"), fc.boolean())),
    });
    const files = fc.array(fc.array(answer, { maxLength: 12 }), { minLength: 1, maxLength: 4 });
    const now = Date.now();
    await fc.assert(
      fc.asyncProperty(files, async (parts) => {
        const site = await newSite();
        await collect(site, "cookies", site.cookies, { token: "t1", accept: true });
        const unique = new Set<string>();
        for (const [at, part] of parts.entries()) {
          const lines = part.map(({ token, days, accept, vendors }) => ({
            token,
            accept,
            date: new Date(now - days * DAY_MS).toISOString(),
            ...(vendors ? { preferences: { vendors } } : {}),
          }));
          for (const line of lines)
            unique.add(canonicalize({ ...line, preferences: line.preferences ?? null }) ?? "");
          const job =
            at % 2 === 0
              ? await importFile(site, toCsv(site, lines))
              : await importFile(site, `${toNdjson(site, lines)}\n`, ndjson);
          assert.equal(job.refused, 0);
        }
        assert.equal(await assertStatesMatchRecords(site.id), await countRecords(site));
        assert.equal(await countRecords(site), unique.size + 1);
      }),
      { numRuns: 12 },
    );
  });

  it("works while visitors answer", async () => {
    const site = await newSite();
    await using node = openNode();
    const tokens = Array.from({ length: 5 }, (_, at) => `busy-${at}`);
    const files = Array.from({ length: 8 }, (_, n) =>
      toCsv(
        site,
        tokens.map((token, at) => ({
          token,
          accept: n % 2 === 0,
          date: daysAgo(100 + n * 10 + at),
        })),
      ),
    );
    let collected = 0;
    const done = new AbortController();
    const visit = async (token: string): Promise<void> => {
      while (!done.signal.aborted) {
        await node.collect(site, { token, accept: collected % 2 === 0 });
        collected += 1;
      }
    };
    const visits = tokens.map(visit);
    for (const file of files) assert.equal((await importFile(site, file)).imported, tokens.length);
    done.abort();
    await Promise.all(visits);
    assert.equal(await assertStatesMatchRecords(site.id), collected + files.length * tokens.length);
  });
});

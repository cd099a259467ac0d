import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import {
  type Answer,
  type Json,
  assertProblem,
  assertStatus,
  getLink,
  toText,
  toPlain,
} from "../client.ts";
import { behaviour, section } from "../behaviour.ts";
import { toBanner, toProcessing, vendor } from "../documents.ts";
import { create, createCompleteProject, publishDone } from "../site.ts";
import { getOptions, once, openOwner, runId, visitor } from "../target.ts";

const DAY_MS = 86_400_000;
const WAIT_MS = 60_000;
const columns = ["token", "collection", "identifier", "accept", "date", "value", "preferences"];
/** A value that each dialect has to write in its own way. */
const awkward = 'a;b "quoted"\nsecond line';

/** A project with three consents of one day: two of a form, and one of a banner. */
const openRecords = once(async () => {
  const projectId = toText((await createCompleteProject())["_id"]);
  const form = toText((await create("processings", toProcessing(projectId)))["_id"]);
  const banner = toText((await create("cookies", toBanner(projectId)))["_id"]);
  await publishDone(projectId);
  const path = `/v1/app/consents/${projectId}`;
  const preferences = { vendors: { [vendor.name]: true } };
  const bodies = [
    [`processings/${form}`, { accept: true, token: `visitor-${runId}-1`, value: awkward }],
    [`processings/${form}`, { accept: false, token: `visitor-${runId}-2` }],
    [`cookies/${banner}`, { accept: true, token: `visitor-${runId}-3`, preferences }],
  ] as const;
  const days: string[] = [];
  for (const [at, body] of bodies) {
    const { json } = assertStatus(await visitor.post(`${path}/${at}`, body), 201);
    days.push(toText(json["createdAt"]).slice(0, 10));
  }
  return { projectId, form, banner, start: days[0] ?? "", end: days.at(-1) ?? "" };
});

/** Reads an export; one that is not ready yet, or one too many at once, is read again. */
async function readExport(format: string, query: Record<string, string>): Promise<Answer> {
  const { client } = await openOwner();
  const { projectId } = await openRecords();
  const address = `/v1/app/exports/${projectId}.${format}`;
  return waitUntilReady(await client.get(address, { query }), () => client.get(address, { query }));
}

async function waitUntilReady(first: Answer, read: () => Promise<Answer>): Promise<Answer> {
  const deadline = performance.now() + WAIT_MS;
  let answer = first;
  while (answer.status === 202 || answer.status === 429) {
    if (answer.status === 202) assert.equal(toPlain(answer.json["status"]), "pending");
    const seconds = Number(answer.headers.get("retry-after"));
    assert.ok(seconds > 0, "Retry-After");
    assert.ok(performance.now() < deadline, "the export is still pending");
    await sleep(seconds * 1000);
    answer = await read();
  }
  return assertStatus(answer, 200);
}

/** Parses CSV as RFC 4180 has it, with `;` between the fields. */
function parseCsv(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  for (const [, quoted, plain = "", end] of text.matchAll(
    /(?:"((?:[^"]|"")*)"|([^;\r\n"]*))(;|\r\n|$)/g,
  )) {
    if (end === "" && row.length === 0 && quoted === undefined && plain === "") break;
    row.push(quoted?.replaceAll('""', '"') ?? plain);
    if (end === ";") continue;
    rows.push(row);
    row = [];
  }
  return rows;
}

section("Exports and imports", { isConcurrent: true }, () => {
  behaviour("exports a day as CSV with start=D&end=D", "wire 4, 9: Dates", async () => {
    const { start, end, form } = await openRecords();
    const { text, headers } = await readExport("csv", { start, end });
    assert.match(headers.get("content-type") ?? "", /^text\/csv/);
    const [head, ...rows] = parseCsv(text);
    assert.deepEqual(head?.slice(0, columns.length), columns);
    assert.equal(rows.length, 3);
    const first = rows.find(([token]) => token === `visitor-${runId}-1`);
    assert.deepEqual(first?.slice(1, 4), ["processings", form, "1"]);
    assert.ok(!Number.isNaN(Date.parse(first?.[4] ?? "")), "the date");
    const second = rows.find(([token]) => token === `visitor-${runId}-2`);
    assert.equal(second?.[3], "0");
    const third = rows.find(([token]) => token === `visitor-${runId}-3`);
    const preferences = JSON.parse(third?.[6] ?? "") as Json;
    assert.equal(preferences["vendors"]?.[vendor.name], true);
  });

  behaviour("exports nothing of another day", "wire 9: Dates", async () => {
    const { start, end } = await openRecords();
    const before = new Date(Date.parse(start) - DAY_MS).toISOString().slice(0, 10);
    const after = new Date(Date.parse(end) + DAY_MS).toISOString().slice(0, 10);
    for (const day of [before, after]) {
      const { text } = await readExport("csv", { start: day, end: day });
      assert.equal(parseCsv(text).length, 1, day);
    }
  });

  behaviour("accepts dates, instants and dates with an offset", "wire 9: Dates", async () => {
    const { start, end } = await openRecords();
    const next = new Date(Date.parse(end) + DAY_MS).toISOString();
    for (const query of [
      { start: `${start}T00:00:00.000Z`, end: next },
      { start: `${start} 00:00:00+00:00`, end: `${end} 23:59:59+00:00` },
      { start: `${start} 02:00:00+02:00` },
      { start },
      { end },
    ])
      assert.equal(
        parseCsv((await readExport("csv", query)).text).length,
        4,
        JSON.stringify(query),
      );
  });

  behaviour("quotes as RFC 4180 has it, with CR LF", "wire 9: CSV exports", async () => {
    const { text } = await readExport("csv", {});
    assert.match(text, /^token;collection;[^\n]*\r\n/);
    assert.ok(text.endsWith("\r\n"), "the last line ends with CR LF");
    const row = parseCsv(text).find(([token]) => token === `visitor-${runId}-1`);
    // The specification does not say whether a text is written as it is or as JSON.
    assert.ok([awkward, JSON.stringify(awkward)].includes(row?.[5] ?? ""), "the value");
  });

  behaviour(
    "writes dialect=plain for readers that split by hand",
    "wire 9: CSV exports",
    async () => {
      const { text } = await readExport("csv", { dialect: "plain" });
      assert.ok(!text.includes("\r"), "no CR");
      assert.ok(!text.includes('"a,b'), "no quotation marks around a value");
      const lines = text.trimEnd().split("\n");
      assert.equal(lines.length, 4);
      const rows = lines.map((line) => line.split(";"));
      for (const row of rows) assert.equal(row.length, rows[0]?.length);
      const value = rows.find(([token]) => token === `visitor-${runId}-1`)?.[5] ?? "";
      assert.match(value, /^a,b .*quoted.* second line$/);
    },
  );

  behaviour("filters an export", "wire 4", async () => {
    const { form } = await openRecords();
    for (const [query, count] of [
      [{ collection: "processings" }, 2],
      [{ identifier: form, accept: "true" }, 1],
      [{ token: `visitor-${runId}-3` }, 1],
    ] as const)
      assert.equal(parseCsv((await readExport("csv", query)).text).length - 1, count);
  });

  behaviour("ends NDJSON with a manifest of count and hash", "wire 4", async () => {
    const { text, headers } = await readExport("ndjson", {});
    assert.match(headers.get("content-type") ?? "", /ndjson/);
    const lines = text.trimEnd().split("\n");
    assert.equal(lines.length, 4);
    const manifest = JSON.parse(lines.at(-1) ?? "") as Json;
    const flat = JSON.stringify(manifest);
    assert.match(flat, /"count":3\b/);
    const content = lines
      .slice(0, -1)
      .map((line) => `${line}\n`)
      .join("");
    const digest = createHash("sha256").update(content);
    const hex = digest.copy().digest("hex");
    assert.ok(
      flat.includes(hex) || flat.includes(digest.digest("base64")),
      "the hash is SHA-256 of the lines before",
    );
  });

  behaviour("links the manifest of a CSV export in a header", "wire 4", async () => {
    const { client } = await openOwner();
    const { headers } = await readExport("csv", {});
    const link = headers.get("link") ?? "";
    const address = /<([^>]+)>[^,]*(?:manifest|describedby)/.exec(link)?.[1];
    assert.ok(address, `Link: ${link}`);
    const read = () => client.get(new URL(address, getOptions().baseUrl).href);
    const { text } = await waitUntilReady(await read(), read);
    assert.match(text, /"count":3\b/);
  });

  behaviour("exports Parquet", "wire 4", async () => {
    const { bytes } = await readExport("parquet", {});
    const magic = new TextDecoder().decode(bytes.subarray(0, 4));
    const end = new TextDecoder().decode(bytes.subarray(-4));
    assert.deepEqual([magic, end], ["PAR1", "PAR1"]);
  });

  behaviour(
    "exports only to those who may read the project",
    "interface: Authentication",
    async () => {
      const { projectId } = await openRecords();
      assertProblem(await visitor.get(`/v1/app/exports/${projectId}.csv`), 403);
    },
  );

  behaviour("imports CSV once, and reports refused lines", "wire 4", async () => {
    // A project of its own, since other cases count the records of theirs.
    const projectId = toText((await createCompleteProject())["_id"]);
    const form = toText((await create("processings", toProcessing(projectId)))["_id"]);
    const row = (token: string) => `${token};processings;${form};1;2026-01-02T03:04:05.000Z;;`;
    const body = [
      columns.join(";"),
      row(`visitor-${runId}-imported-1`),
      row(`visitor-${runId}-imported-2`),
      `visitor-${runId}-wrong;no-collection;${form};1;2026-01-02T03:04:05.000Z;;`,
      "",
    ].join("\r\n");
    const run = async (query: Record<string, string>) => {
      const { client } = await openOwner();
      const path = `/v1/app/imports/${projectId}`;
      const headers = { "content-type": "text/csv" };
      const first = assertStatus(await client.send("POST", path, { body, headers, query }), 202);
      return pollImport(first.json);
    };
    await run({ dryRun: "true" });
    assert.equal(await countImported(projectId), 0, "a dry run adds nothing");
    const job = await run({});
    assert.equal(await countImported(projectId), 2);
    assert.match(JSON.stringify(job), /"refused":\s*(?:1|\{)/);
    await run({});
    assert.equal(await countImported(projectId), 2, "the same file adds nothing");
  });
});

async function countImported(projectId: string): Promise<number> {
  const { client } = await openOwner();
  let count = 0;
  for (const n of [1, 2]) {
    const query = { token: `visitor-${runId}-imported-${n}` };
    const answer = await client.get(`/v1/app/consents/${projectId}`, { query });
    count += Number(assertStatus(answer, 200).headers.get("x-total-count"));
  }
  return count;
}

async function pollImport(first: Json): Promise<Json> {
  const { client } = await openOwner();
  const address = getLink(first, "self");
  const deadline = performance.now() + WAIT_MS;
  for (;;) {
    const { json } = assertStatus(await client.get(address), 200);
    if (/done|error|failed|cancel/i.test(toPlain(json["status"]))) return json;
    assert.ok(performance.now() < deadline, `the import is still ${toPlain(json["status"])}`);
    await sleep(250);
  }
}

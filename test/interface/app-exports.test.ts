import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { describe, test } from "node:test";
import { parse } from "csv-parse/sync";
import { parquetReadObjects } from "hyparquet";
import { hrefOf, paths } from "@avow/contract/urls";
import { unguardCell } from "@avow/contract/csv";
import { service } from "../harness.ts";
import { fillRecords, putRecords } from "./records.ts";
import { type Site, collect, newSite, share } from "./site.ts";

const unknownId = "0123456789abcdef01234567";
type Query = Record<string, string | number>;

/** Test records are older than this, so that an export up to this time waits for nothing. */
const settled = () => new Date(Date.now() - 5_000).toISOString();

const exportAt = (site: Pick<Site, "id">, format: string, query: Query = {}) =>
  hrefOf("", paths.export, { projectId: site.id, format }, query);

/** Reads a whole export and the manifest that its `Link` names. */
async function readExport(site: Site, format: string, query: Query = {}) {
  const at = exportAt(site, format, { end: settled(), ...query });
  const answer = await fetch(service.url + at, {
    headers: { authorization: `Bearer ${site.token}` },
    signal: AbortSignal.timeout(30_000),
  });
  assert.equal(answer.status, 200);
  const bytes = Buffer.from(await answer.arrayBuffer());
  const [, link = ""] =
    /^<([^>]+)>; rel="describedby"/.exec(answer.headers.get("link") ?? "") ?? [];
  const { body: manifest } = await service.fetch(link, { token: site.token });
  return { answer, bytes, text: bytes.toString(), manifest };
}

const sha256 = (bytes: Buffer): string => createHash("sha256").update(bytes).digest("hex");

function readCsv(text: string): string[][] {
  return parse(text, { delimiter: ";", record_delimiter: "\r\n" });
}

// oxlint-disable-next-line typescript/no-explicit-any -- records are looked into
function readLines(text: string): any[] {
  return text
    .trimEnd()
    .split("\n")
    .map((line): unknown => JSON.parse(line));
}

/** Values that are hard to serialize: formulas, quotes, line ends, other scripts, empty texts. */
const hard = [
  { token: "=1+1", value: "=cmd|' /C calc'!A0", accept: false },
  { token: "-5", value: -5, preferences: { vendors: {} } },
  { token: "'@x", value: 'two\r\nlines; "quoted"' },
  { token: "'plain'", value: { a: ["ünï", "\u{1f600}", "\u2028"] }, language: "de", version: 7 },
  { token: '\u{1f600};"', value: "", url: "https://shop.example/a;b", language: "[]" },
  { token: "+49", value: false, country: "DE", clientAt: "2020-02-29T12:00:00.500Z" },
  { token: "a\u{1d49c}＝", value: null, warnings: [{ path: "/timestamp", message: "is late" }] },
];

describe("GET /v1/app/exports/{projectId}.csv", () => {
  test("has the columns token;collection;identifier;accept;date;value;preferences, oldest first", async () => {
    const site = await newSite();
    await putRecords(site, hard);
    const { answer, text, manifest, bytes } = await readExport(site, "csv");
    assert.equal(answer.headers.get("content-type"), "text/csv; charset=utf-8; header=present");
    assert.match(
      answer.headers.get("content-disposition") ?? "",
      /^attachment; filename=".+\.csv"$/,
    );
    assert.ok(text.startsWith("token;collection;identifier;accept;date;value;preferences\r\n"));
    const [, ...rows] = readCsv(text);
    assert.equal(rows.length, hard.length);
    for (const [n, { token, value, accept = true, preferences }] of hard.entries()) {
      const cells = (rows[n] ?? []).map(unguardCell);
      assert.equal(cells[0], token);
      assert.deepEqual(cells.slice(1, 3), ["cookies", site.cookies]);
      assert.equal(cells[3], accept ? "1" : "0");
      assert.match(cells[4] ?? "", /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
      assert.deepEqual(cells[5] === "" ? null : JSON.parse(cells[5] ?? ""), value);
      assert.deepEqual(cells[6] === "" ? undefined : JSON.parse(cells[6] ?? ""), preferences);
    }
    assert.equal(manifest.complete, true);
    assert.equal(manifest.count, hard.length);
    assert.equal(manifest.bytes, bytes.length);
    assert.equal(manifest.sha256, sha256(bytes));
  });

  test("escapes cells that begin with =, +, - or @, so that no spreadsheet runs them", async () => {
    const site = await newSite();
    await putRecords(site, hard);
    const { text } = await readExport(site, "csv");
    for (const row of readCsv(text))
      for (const cell of row) assert.doesNotMatch(cell, /^[=+\-@\t\r]/);
  });

  test("is read by splitting lines in the dialect plain, also in a part", async () => {
    const site = await newSite();
    const ids = await putRecords(site, hard);
    const { text, manifest } = await readExport(site, "csv", { dialect: "plain" });
    assert.equal(manifest.dialect, "plain");
    const rows = text.split("\n").map((line) => line.split(";"));
    assert.deepEqual(rows.pop(), [""]);
    assert.equal(rows.length, hard.length + 1);
    for (const row of rows) assert.equal(row.length, 7, row.join(";"));
    assert.equal(rows[1]?.[5], "'=cmd|' /C calc'!A0");
    assert.equal(rows[3]?.[5], 'two lines, "quoted"');
    assert.equal(rows[5]?.[0], '\u{1f600},"');
    const rest = await readExport(site, "csv", {
      dialect: "plain",
      after: ids[2] ?? "",
      end: manifest.to,
    });
    assert.equal(rest.text, text.split("\n").slice(4).join("\n"));
    const unknown = exportAt(site, "csv", { dialect: "excel" });
    const { status, body } = await service.fetch(unknown, { token: site.token });
    assert.deepEqual([status, body.errors[0].path], [400, "?dialect"]);
  });

  test("resumes an interrupted export at any point, and the parts add up to the whole", async () => {
    const site = await newSite();
    await fillRecords(site, 140_000, "x");
    const { answer, bytes, manifest } = await readExport(site, "csv");
    const estimate = Number(answer.headers.get("x-export-estimate"));
    assert.ok(estimate > 70_000 && estimate < 280_000, String(estimate));
    assert.equal(manifest.count, 140_000);
    assert.equal(manifest.stretches.length, 2);
    for (const stretch of manifest.stretches) {
      const part = bytes.subarray(0, stretch.bytes);
      assert.equal(sha256(part), stretch.sha256);
      assert.equal(part.toString().split("\r\n").length - 2, stretch.count);
      const rest = await readExport(site, "csv", { after: stretch.last, end: manifest.to });
      assert.ok(Buffer.concat([part, rest.bytes]).equals(bytes));
      assert.equal(rest.manifest.count, 140_000 - stretch.count);
      assert.equal(rest.manifest.after, stretch.last);
    }
  });
});

describe("GET /v1/app/exports/{projectId}.ndjson", () => {
  test("has each record as the registry returns it, then a manifest with the count and the hash", async () => {
    const site = await newSite();
    const ids = await putRecords(site, hard);
    const { bytes, text, manifest } = await readExport(site, "ndjson");
    const lines = readLines(text);
    const last = lines.pop().manifest;
    assert.deepEqual(
      lines.map(({ consentId }) => consentId),
      ids,
    );
    const at = hrefOf("", paths.consents, { projectId: site.id }, { sort: "createdAt" });
    const registry = await service.fetch(at, { token: site.token });
    const bare = registry.body.map(
      ({ links: _links, receipt: _receipt, ...record }: Record<string, unknown>) => record,
    );
    assert.deepEqual(lines, bare);
    const body = bytes.subarray(
      0,
      text.lastIndexOf('{"manifest"') < 0 ? 0 : bytes.lastIndexOf('{"manifest"'),
    );
    assert.equal(last.sha256, sha256(body));
    assert.equal(last.complete, true);
    const same = ["id", "projectId", "from", "to", "first", "last", "count", "bytes", "sha256"];
    for (const name of same) assert.equal(last[name], manifest[name], name);
    assert.equal(last.last, ids.at(-1));
    assert.equal(last.links.self, manifest.links.self);
  });

  test("resumes after the last record that a reader has, wherever it was interrupted", async () => {
    const site = await newSite();
    const ids = await putRecords(
      site,
      Array.from({ length: 7 }, () => ({})),
    );
    for (const [n, id] of ids.entries()) {
      const lines = readLines((await readExport(site, "ndjson", { after: id })).text);
      const { manifest } = lines.pop();
      assert.deepEqual(
        lines.map(({ consentId }) => consentId),
        ids.slice(n + 1),
      );
      assert.equal(manifest.after, id);
      assert.equal(manifest.count, 6 - n);
    }
  });

  test("has only a manifest for an empty project", async () => {
    const { text } = await readExport(await newSite(), "ndjson");
    const [{ manifest }, ...more] = readLines(text);
    assert.equal(more.length, 0);
    assert.equal(manifest.count, 0);
    assert.equal(manifest.last, null);
    assert.equal(manifest.sha256, sha256(Buffer.of()));
  });

  test("includes in an export to now what was answered before it, after all older records", async () => {
    const site = await newSite();
    const ids = await putRecords(site, [{}]);
    for (const token of ["a", "b"]) {
      const { body } = await collect(site, "cookies", site.cookies, { token, accept: true });
      ids.push(body.consentId);
    }
    const askedAt = new Date().toISOString();
    for (const query of [{}, { start: settled() }]) {
      const path = service.url + exportAt(site, "ndjson", query);
      const answer = await fetch(path, { headers: { authorization: `Bearer ${site.token}` } });
      const lines = readLines(await answer.text());
      const { manifest } = lines.pop();
      assert.deepEqual(
        lines.map(({ consentId }) => consentId),
        "start" in query ? ids.slice(1) : ids,
      );
      assert.equal(manifest.count, lines.length);
      assert.equal(manifest.last, ids.at(-1));
      assert.ok(manifest.to > askedAt, `${manifest.to} ${askedAt}`);
      assert.equal(manifest.heldBack, undefined);
    }
  });
});

describe("GET /v1/app/exports/{projectId}.parquet", () => {
  test("is readable by a Parquet reader, with every record", async () => {
    const site = await newSite();
    const ids = await putRecords(site, hard);
    const { answer, bytes, manifest } = await readExport(site, "parquet");
    assert.equal(answer.headers.get("content-type"), "application/vnd.apache.parquet");
    assert.equal(manifest.sha256, sha256(bytes));
    const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length);
    const rows = await parquetReadObjects({ file });
    assert.deepEqual(
      rows.map(({ consentId }) => consentId),
      ids,
    );
    for (const [n, { token, value, accept = true, ...more }] of hard.entries()) {
      const row = rows[n] ?? {};
      assert.equal(row["token"], token);
      assert.equal(row["accept"], accept);
      assert.deepEqual(row["value"] === null ? null : JSON.parse(row["value"]), value);
      assert.equal(row["version"], more.version ?? null);
      assert.equal(row["country"], more.country ?? null);
      assert.equal(row["timestamp"]?.toISOString() ?? null, more.clientAt ?? null);
      assert.ok(row["createdAt"] instanceof Date);
    }
  });

  test("is one file for many row groups, and an empty file for an empty project", async () => {
    const site = await newSite();
    await fillRecords(site, 12_345, "x");
    const { bytes, manifest } = await readExport(site, "parquet");
    const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length);
    const rows = await parquetReadObjects({ file });
    assert.equal(rows.length, 12_345);
    assert.equal(rows[12_344]?.["token"], "visitor-12345");
    assert.equal(rows[12_344]?.["consentId"], manifest.last);
    const none = (await readExport(await newSite(), "parquet")).bytes;
    const empty = none.buffer.slice(none.byteOffset, none.byteOffset + none.length);
    assert.deepEqual(await parquetReadObjects({ file: empty }), []);
  });
});

describe("exports", () => {
  test("filter by start, end, token, collection, identifier and accept", async () => {
    const site = await newSite();
    const ids = await putRecords(site, [
      { token: "a" },
      { token: "b", accept: false },
      { token: "a", collection: "processings", identifier: site.processing },
      { token: "b", collection: "contracts", identifier: site.contract, accept: false },
    ]);
    const all = readLines((await readExport(site, "ndjson")).text);
    const find = async (query: Query): Promise<number[]> => {
      const lines = readLines((await readExport(site, "ndjson", query)).text);
      const { manifest } = lines.pop();
      assert.equal(manifest.count, lines.length);
      return lines.map(({ consentId }) => ids.indexOf(consentId));
    };
    assert.deepEqual(await find({ token: "a" }), [0, 2]);
    assert.deepEqual(await find({ token: "nobody" }), []);
    assert.deepEqual(await find({ collection: "contracts" }), [3]);
    assert.deepEqual(await find({ identifier: site.processing }), [2]);
    assert.deepEqual(await find({ accept: "false" }), [1, 3]);
    assert.deepEqual(await find({ token: "b", identifier: site.cookies, accept: "false" }), [1]);
    assert.deepEqual(await find({ start: all[1].createdAt, end: all[3].createdAt }), [1, 2]);
    assert.deepEqual(await find({ start: all[1].createdAt, after: ids[1] ?? "" }), [2, 3]);
    assert.deepEqual(await find({ end: "2000-01-01T00:00:00Z" }), []);
    assert.deepEqual(await find({ end: "2999-01-01T00:00:00Z" }), [0, 1, 2, 3]);
  });

  test("record the event export.done with the count and the hash", async () => {
    const site = await newSite();
    await putRecords(site, [{}]);
    const { manifest } = await readExport(site, "csv");
    const events = await service.db
      .selectFrom("events")
      .select(["name", "actor", "data"])
      .where("project_id", "=", site.id)
      .where("name", "like", "export.%")
      .orderBy("id")
      .execute();
    const { id: exportId, count, bytes } = manifest;
    assert.deepEqual(events, [
      { name: "export.requested", actor: site.userId, data: { exportId, format: "csv" } },
      {
        name: "export.done",
        actor: site.userId,
        data: { exportId, format: "csv", count, bytes, sha256: manifest.sha256 },
      },
    ]);
  });

  test("are allowed to readers of consents; return 404 for a foreign project and 403 without a token", async () => {
    const [site, other] = await Promise.all([newSite(), newSite()]);
    const ask = async (path: string, token?: string) =>
      (await service.fetch(path, token === undefined ? {} : { token })).status;
    const end = settled();
    for (const role of ["viewer", "editor", "auditor"])
      assert.equal(await ask(exportAt(site, "csv", { end }), await share(site, role)), 200, role);
    for (const format of ["csv", "ndjson", "parquet"]) {
      assert.equal(await ask(exportAt(site, format)), 403);
      assert.equal(await ask(exportAt(site, format), other.token), 404);
      assert.equal(await ask(exportAt({ id: unknownId }, format), site.token), 404);
    }
    assert.equal(await ask(exportAt(site, "xlsx"), site.token), 400);
    assert.equal(await ask(exportAt(site, "csv", { after: "x" }), site.token), 400);
    const { manifest } = await readExport(site, "csv");
    assert.equal(await ask(manifest.links.self), 403);
    assert.equal(await ask(manifest.links.self, other.token), 404);
    const at = (projectId: string, exportId: string) =>
      hrefOf("", paths.exportManifest, { projectId, exportId });
    assert.equal(await ask(at(other.id, manifest.id), other.token), 404);
    assert.equal(await ask(at(site.id, unknownId), site.token), 404);
  });
});

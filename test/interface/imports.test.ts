import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { readdir } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { describe, it } from "node:test";
import { gzipSync } from "node:zlib";
import { hrefOf, paths } from "@avow/contract/urls";
import { service } from "../harness.ts";
import { poll } from "../poll.ts";
import { countsOf, importFile, ndjson, send, toCsv, toNdjson, waitForEnd } from "./imports.ts";
import { newSite, readToken, share } from "./site.ts";

const preferences = { vendors: { matomo: true, chat: false } };

describe("an import", () => {
  it("returns a job that ends, and stores the records with date and origin", async () => {
    const site = await newSite();
    const lines = [
      { preferences, value: { a: 1 } },
      { collection: "contracts", identifier: site.contract },
    ];
    const sent = await send(site, toCsv(site, lines));
    assert.equal(sent.status, 202, JSON.stringify(sent.body));
    assert.equal(sent.headers.get("location"), sent.body.links.self);
    const job = await waitForEnd(site, sent.body.links.self);
    assert.deepEqual(countsOf(job), { status: "Done", read: 2, imported: 2, known: 0, refused: 0 });
    assert.equal(job.progress, 1);
    assert.equal(job.links.refused, undefined);
    const { body } = await readToken(site, "token-0");
    const [record] = body.history;
    assert.equal(record.createdAt, "2025-04-04T05:06:07.000Z");
    assert.deepEqual(record.preferences, preferences);
    assert.deepEqual(record.value, { a: 1 });
    assert.equal(record.headers.userAgent, "import");
    assert.equal(record.import, job.id);
    assert.equal(record.links.import, job.links.self);
    const status = Object.fromEntries(
      body.state.map((s: { name: string; status: string }) => [s.name, s.status]),
    );
    // Six months have passed.
    assert.equal(status["Matomo"], "expired");
    const contract = (await readToken(site, "token-1")).body.state.find(
      (s: { identifier: string }) => s.identifier === site.contract,
    );
    assert.equal(contract.status, "accepted");
  });

  it("adds nothing for a file that was imported before, as CSV or as NDJSON", async () => {
    const site = await newSite();
    const lines = Array.from({ length: 50 }, (_, at) => ({
      token: `t${at % 20}`,
      preferences,
      value: at,
    }));
    const first = await importFile(site, toCsv(site, lines));
    assert.equal(first.imported, 50);
    const before = await readAll(site);
    assert.deepEqual(countsOf(await importFile(site, toCsv(site, lines))), {
      ...countsOf(first),
      imported: 0,
      known: 50,
    });
    assert.equal((await importFile(site, toNdjson(site, lines), ndjson)).known, 50);
    assert.deepEqual(await readAll(site), before);
  });

  it("recognizes a duplicate line of one file", async () => {
    const site = await newSite();
    const line = { token: "twice", date: "2025-01-01T00:00:00Z" };
    const job = await importFile(site, toCsv(site, [line, line]));
    assert.deepEqual(countsOf(job), { status: "Done", read: 2, imported: 1, known: 1, refused: 0 });
  });

  it("with dryRun changes nothing and reports what it would do", async () => {
    const site = await newSite();
    const file = toCsv(site, [{ token: "a" }, { token: "b", collection: "pages" }]);
    const job = await importFile(site, file, { query: { dryRun: "true" } });
    assert.deepEqual(countsOf(job), { status: "Done", read: 2, imported: 1, known: 0, refused: 1 });
    assert.equal(job.dryRun, true);
    assert.deepEqual((await readAll(site)).length, 0);
    assert.equal((await importFile(site, file)).imported, 1);
    assert.equal((await importFile(site, file, { query: { dryRun: "true" } })).known, 1);
  });

  it("lists rejected lines, each with a reason, without formulas", async () => {
    const site = await newSite();
    const lines = [
      { token: "good" },
      { token: "other", identifier: "665f0000aaaabbbbccccdddd" },
      { token: "wrong", collection: "contracts" },
      { token: "early", date: "1960-01-01T00:00:00Z" },
    ];
    const job = await importFile(site, `${toCsv(site, lines)}=1+1;x\r\n`);
    assert.deepEqual(countsOf(job), { status: "Done", read: 5, imported: 1, known: 0, refused: 4 });
    const refused = await service.fetch(job.links.refused ?? "", { token: site.token });
    assert.match(refused.headers.get("content-type") ?? "", /^text\/csv/);
    const [head, ...rows] = String(refused.body).trimEnd().split("\r\n");
    assert.equal(head, "line;reason;text");
    assert.match(
      rows[0] ?? "",
      /^3;The project has no 665f0000aaaabbbbccccdddd in its cookies\.;"other;/,
    );
    assert.match(rows[1] ?? "", /^4;The project has no [0-9a-f]{24} in its contracts\.;/);
    assert.match(rows[2] ?? "", /^5;date must not lie before 1970\.;/);
    assert.match(rows[3] ?? "", /^6;The line has 2 cells, .*;"'=1\+1;x"$/);
  });

  it("accepts gzip, and rejects a malformed one", async () => {
    const site = await newSite();
    const gzip = { headers: { "content-encoding": "gzip" } };
    const file = toCsv(site, [{}]);
    const job = await importFile(site, new Uint8Array(gzipSync(file)), gzip);
    assert.equal(job.imported, 1);
    assert.equal(job.size, Buffer.byteLength(file));
    assert.equal((await send(site, file, gzip)).status, 400);
  });

  it("with an Idempotency-Key is created once", async () => {
    const site = await newSite();
    const headers = { "idempotency-key": randomBytes(8).toString("hex") };
    const file = toCsv(site, [{}]);
    const first = await send(site, file, { headers });
    const second = await send(site, file, { headers });
    assert.equal(second.body.id, first.body.id);
    assert.equal(second.headers.get("idempotency-replayed"), "true");
    assert.equal((await send(site, toCsv(site, [{ token: "x" }]), { headers })).status, 422);
  });

  it("ends with an error and a reason when the file as a whole is invalid", async () => {
    const site = await newSite();
    const wrong = await importFile(site, "a;b\n1;2\n");
    assert.equal(wrong.status, "Error");
    assert.match(wrong.message ?? "", /The first line has to name the columns/);
    const manifest = { manifest: { count: 7, sha256: "0".repeat(64) } };
    const cut = await importFile(
      site,
      `${toNdjson(site, [{}])}${JSON.stringify(manifest)}\n`,
      ndjson,
    );
    assert.equal(cut.status, "Error");
    assert.match(cut.message ?? "", /counts 7 lines, and the file has 1/);
    assert.equal((await readAll(site)).length, 0);
  });

  it("rejects other content types with 415 and an empty file with 400", async () => {
    const site = await newSite();
    const json = await send(site, "[]", { headers: { "content-type": "application/json" } });
    assert.equal(json.status, 415);
    assert.equal((await send(site, "")).status, 400);
  });
});

describe("an import that is interrupted", () => {
  const listFiles = () => readdir(join(service.config.dataDir, "imports"));

  it("leaves no file when its upload is aborted", async () => {
    const site = await newSite();
    const before = new Set(await listFiles());
    const hasMore = async () => (await listFiles()).some((name) => !before.has(name));
    const { hostname, port } = new URL(service.url);
    const socket = connect(Number(port), hostname);
    const head = [
      `POST /v1/app/imports/${site.id} HTTP/1.1`,
      `Host: ${hostname}`,
      `Authorization: Bearer ${site.token}`,
      "Content-Type: text/csv",
      "Content-Length: 1000000",
    ];
    socket.write(`${head.join("\r\n")}\r\n\r\n${toCsv(site, [{}])}`);
    await waitUntil(hasMore);
    socket.destroy();
    await waitUntil(async () => !(await hasMore()));
    assert.deepEqual((await readAll(site)).length, 0);
    const list = hrefOf("", paths.imports, { projectId: site.id });
    assert.deepEqual((await service.fetch(list, { token: site.token })).body.items, []);
  });

  it("is cancelled by DELETE, with this status, and its files are removed", async () => {
    const site = await newSite();
    const lines = Array.from({ length: 20_000 }, (_, at) => ({ token: `t${at}` }));
    const { body } = await send(site, `${toCsv(site, lines)}refused\r\n`);
    const gone = await service.fetch(body.links.self, { token: site.token, method: "DELETE" });
    assert.equal(gone.status, 204);
    const job = await waitForEnd(site, body.links.self);
    assert.equal(job.status, "Error");
    assert.match(job.message ?? "", /The import was cancelled\. Records imported so far are kept/);
    await waitUntil(async () => !(await listFiles()).some((name) => name.startsWith(job.id)));
    assert.ok(job.read < lines.length);
  });
});

/** Waits until a condition holds, up to a minute. */
async function waitUntil(condition: () => Promise<boolean>): Promise<void> {
  await poll({
    read: condition,
    isRight: Boolean,
    waitMs: 60_000,
    toMessage: () => "waited too long",
  });
}

describe("imports", () => {
  it("are listed newest first, in pages, and link to each other", async () => {
    const site = await newSite();
    for (const token of ["a", "b", "c"]) await importFile(site, toCsv(site, [{ token }]));
    const at = hrefOf("", paths.imports, { projectId: site.id }, { limit: 2 });
    const first = await service.fetch(at, { token: site.token });
    assert.equal(first.body.items.length, 2);
    const second = await service.fetch(first.body.links.next, { token: site.token });
    assert.equal(second.body.items.length, 1);
    assert.equal(second.body.links.next, undefined);
  });

  it("are for owners and editors; readers of consents may read them; for others there is no project", async () => {
    const site = await newSite();
    const job = await importFile(site, toCsv(site, [{ collection: "pages" }]));
    const expected: Record<string, [number, number]> = {
      editor: [202, 200],
      viewer: [403, 200],
      auditor: [403, 200],
    };
    for (const [role, [sent, read]] of Object.entries(expected)) {
      const token = await share(site, role);
      assert.equal((await send({ ...site, token }, toCsv(site, [{}]))).status, sent, role);
      for (const href of [job.links.self, job.links.imports, job.links.refused ?? ""])
        assert.equal((await service.fetch(href, { token })).status, read, role);
    }
    const { token } = await service.newUser();
    assert.equal((await send({ ...site, token }, toCsv(site, [{}]))).status, 404);
    for (const href of [job.links.self, job.links.imports, job.links.refused ?? ""])
      assert.equal((await service.fetch(href, { token })).status, 404);
    assert.equal((await service.fetch(job.links.self, { token, method: "DELETE" })).status, 404);
    assert.equal((await service.fetch(job.links.self)).status, 403);
  });

  it("lose their files when they are deleted, and leave none when nothing is rejected", async () => {
    const site = await newSite();
    const job = await importFile(site, toCsv(site, [{ collection: "pages" }]));
    const listFiles = async () =>
      (await readdir(join(service.config.dataDir, "imports"))).filter((name) =>
        name.startsWith(job.id),
      );
    // The file is removed once its import has ended.
    await waitUntil(async () => !(await listFiles()).includes(job.id));
    assert.deepEqual(await listFiles(), [`${job.id}.refused.csv`]);
    const gone = await service.fetch(job.links.self, { token: site.token, method: "DELETE" });
    assert.equal(gone.status, 204);
    assert.deepEqual(await listFiles(), []);
    assert.equal((await service.fetch(job.links.refused ?? "", { token: site.token })).status, 404);
    const after = await service.fetch(job.links.self, { token: site.token });
    assert.equal(after.body.status, "Done");
    assert.equal(after.body.links.refused, undefined);
  });
});

/** Every record of a project. */
async function readAll(site: { id: string; token: string }): Promise<unknown[]> {
  const at = hrefOf("", paths.consents, { projectId: site.id }, { perPage: 1_000 });
  const { body } = await service.fetch(at, { token: site.token });
  return body;
}

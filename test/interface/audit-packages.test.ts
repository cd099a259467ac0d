import assert from "node:assert/strict";
import { createHash, hash } from "node:crypto";
import { describe, it, test } from "node:test";
import { sql } from "kysely";
import { paths } from "@avow/contract/urls";
import { service } from "../harness.ts";
import {
  AGO_MS,
  ago,
  assertVerifies,
  auditPackageAt,
  getAuditPackage,
  put,
  queue,
  settled,
} from "./audit-packages.ts";
import { waitForProof } from "./proofs.ts";
import { openRawReader, readHead, until } from "./raw-reader.ts";
import { fillRecords, putRecords } from "./records.ts";
import { collect, newSite, publish, readToken } from "./site.ts";

describe("an audit package", () => {
  it("has a person's consents, each proven, with what was displayed", async () => {
    const site = await newSite();
    await publish(site);
    const person = { token: "anna@example.org", language: "fr", url: "https://shop.example/a?b=c" };
    const first = await collect(site, "cookies", site.cookies, {
      ...person,
      accept: true,
      preferences: { vendors: { matomo: true, chat: false } },
    });
    const second = await collect(site, "processings", site.processing, {
      ...person,
      accept: false,
    });
    await collect(site, "cookies", site.cookies, { token: "somebody-else", accept: true });
    const dossier = await getAuditPackage(site.id, { token: person.token }, site);
    assert.deepEqual(dossier.ids, [first.body.consentId, second.body.consentId]);
    await assertVerifies(dossier);
    const { files, manifest, names } = dossier;
    assert.deepEqual(names.slice(0, 7), [
      "index.html",
      "README.txt",
      "consents.csv",
      "audit.ndjson",
      "verifier.html",
      "log/checkpoint.txt",
      "log/keys.txt",
    ]);
    assert.deepEqual(names.slice(-2), ["manifest.json", "SHA256SUMS"]);
    assert.equal(dossier.headers.get("x-dossier-files"), String(names.length));
    assert.deepEqual(manifest.method, { kind: "person", token: person.token });
    assert.deepEqual([manifest.count, manifest.proven, manifest.pending], [2, 2, []]);
    const version = names.find((name) => name.startsWith("versions/"));
    assert.ok(version);
    assert.equal(`versions/${hash("sha256", files.get(version) ?? "")}.json`, version);
    const index = files.get("index.html") ?? "";
    for (const text of ["anna@example.org", "I want the news", "Newsletter", "Matomo", "Refused"])
      assert.ok(index.includes(text), text);
    assert.ok(!index.includes("somebody-else"));
    const csv = (files.get("consents.csv") ?? "").split("\r\n");
    assert.equal(csv.length, 4);
    assert.match(
      csv[1] ?? "",
      /anna@example\.org;cookies;.*;Banner: Accepted \/ Chat: Refused \/ Matomo: Accepted;By/,
    );
    assert.equal(files.get("verifier.html"), (await service.fetch(paths.verifier)).body);
  });

  it("distinguishes a withdrawal from a refusal, as the PDF does", async () => {
    const site = await newSite();
    await publish(site);
    for (const matomo of [true, false]) {
      const preferences = { vendors: { matomo, chat: false } };
      await collect(site, "cookies", site.cookies, { token: "anna", accept: true, preferences });
    }
    const { files, ids } = await getAuditPackage(site.id, { token: "anna" }, site);
    const csv = (files.get("consents.csv") ?? "").split("\r\n").slice(1);
    const answersOf = (id = "") => csv.find((line) => line.startsWith(id));
    assert.match(answersOf(ids[0]) ?? "", /Chat: Refused \/ Matomo: Accepted/);
    assert.match(answersOf(ids[1]) ?? "", /Chat: Refused \/ Matomo: Withdrawn/);
    const index = files.get("index.html") ?? "";
    assert.ok(index.includes("Withdrawn</li>"));
    assert.match(index, /“Withdrawn” is a refusal after an earlier consent/);
    assert.doesNotMatch(index, /Not proven/);
  });

  it("includes the start of its period, and excludes the end", async () => {
    const site = await newSite();
    const ids = await put(site, 5);
    const { body } = await readToken(site, "visitor-3");
    const [end] = body.history.map((one: { createdAt: string }) => one.createdAt);
    const dossier = await getAuditPackage(site.id, { start: ago(2 * AGO_MS), end }, site);
    const before = ids.filter((id) => id < body.history[0].consentId);
    assert.deepEqual(dossier.ids, before.toSorted());
    assert.deepEqual(dossier.manifest.method, { kind: "period" });
    assert.equal(dossier.manifest.to, end);
    await assertVerifies(dossier);
  });

  it("is reproducible from the seed of its sample by anybody, and differs for another seed", async () => {
    const site = await newSite();
    const ids = await put(site, 60);
    const draw = async (seed: string) => {
      const dossier = await getAuditPackage(site.id, { sample: 8, seed, end: settled() }, site);
      return dossier.ids;
    };
    const rank = (seed: string, id: string) =>
      createHash("sha256").update(`${seed}:${id}`).digest("hex");
    const expected = (seed: string) =>
      ids
        .toSorted((a, b) => (rank(seed, a) < rank(seed, b) ? -1 : 1))
        .slice(0, 8)
        .toSorted();
    const seed = "gräine № 1";
    assert.deepEqual(await draw(seed), expected(seed));
    assert.deepEqual(await draw(seed), expected(seed));
    assert.deepEqual(await draw("another"), expected("another"));
    assert.notDeepEqual(expected(seed), expected("another"));
    const own = await getAuditPackage(site.id, { sample: 3 }, site);
    const { method } = own.manifest;
    assert.deepEqual([method.isOwnSeed, method.size, method.population], [true, 3, 60]);
    assert.ok(own.files.get("index.html")?.includes(method.seed));
    await assertVerifies(own);
  });

  it("samples more records than one query reads, each with the same probability", async () => {
    const site = await newSite();
    await fillRecords(site, 45_000, "x");
    await queue(site);
    const answer = await fetch(
      service.url + auditPackageAt(site.id, { sample: 1_000, seed: "s", end: settled() }),
      { headers: { authorization: `Bearer ${site.token}` } },
    );
    assert.equal(answer.status, 200);
    assert.equal(answer.headers.get("x-dossier-consents"), "1000");
    await answer.body?.cancel();
    const { rows } = await sql<{ n: number }>`
      SELECT n::integer FROM (
        SELECT row_number() OVER (ORDER BY id) AS n, sha256(convert_to('s:' || id::text, 'UTF8')) AS rank
        FROM consents WHERE project_id = ${site.id}) r ORDER BY rank LIMIT 1000`.execute(
      service.data,
    );
    const perStretch = [0, 1, 2].map(
      (at) => rows.filter(({ n }) => n > at * 15_000 && n <= (at + 1) * 15_000).length,
    );
    for (const count of perStretch) assert.ok(count > 250 && count < 420, String(perStretch));
  });

  it("over its limit is rejected with advice to narrow or to sample it", async () => {
    const site = await newSite();
    await fillRecords(site, 10_001, "x");
    const { status, body } = await service.fetch(
      auditPackageAt(site.id, { start: ago(5 * AGO_MS), end: settled() }),
      { token: site.token },
    );
    assert.equal(status, 422);
    assert.match(
      body.detail,
      /more than 10,000 consents: narrow it by start and end, or request a/,
    );
  });

  it("lists records that are not in the log yet, and does not wait for them indefinitely", async () => {
    const site = await newSite();
    const proven = await put(site, 1);
    await waitForProof(proven[0] ?? "", "visitor-0");
    // Never queued: the sequencer does not know of it.
    const [waiting] = await putRecords(site, [{ token: "late" }], Date.now() - 30_000);
    const dossier = await getAuditPackage(
      site.id,
      { start: ago(2 * AGO_MS), end: settled() },
      site,
    );
    assert.deepEqual(dossier.ids, proven);
    assert.deepEqual(dossier.manifest.pending, [waiting]);
    assert.match(dossier.files.get("index.html") ?? "", /Not in the log yet: no proof available/);
    await assertVerifies(dossier);
  });

  it("without records is an archive that says so", async () => {
    const site = await newSite();
    await waitForProof((await put(site, 1))[0] ?? "", "visitor-0");
    const dossier = await getAuditPackage(site.id, { token: "nobody", end: settled() }, site);
    assert.deepEqual([dossier.ids, dossier.manifest.count], [[], 0]);
    assert.match(dossier.files.get("index.html") ?? "", /No consents\./);
    await assertVerifies(dossier);
  });

  it("is in French on request, or by the browser's language", async () => {
    const site = await newSite();
    await put(site, 1);
    const query = { token: "visitor-0", end: settled() };
    const french = { token: site.token, headers: { "accept-language": "fr-CH, en;q=0.5" } };
    for (const [asked, by] of [
      [query, french],
      [{ ...query, language: "fr" }, site],
    ] as const) {
      const { files } = await getAuditPackage(site.id, asked, by);
      assert.match(
        files.get("index.html") ?? "",
        /<html lang="fr">[^]*Dossier d’audit des consentements/,
      );
      assert.match(files.get("README.txt") ?? "", /^Dossier d’audit des consentements/);
    }
    const english = { token: site.token, headers: { "accept-language": "de" } };
    const { files } = await getAuditPackage(site.id, query, english);
    assert.match(files.get("index.html") ?? "", /<html lang="en">/);
  });

  it("escapes markup and formulas", async () => {
    const evil = `"><img src=x onerror=alert(1)><script>alert('1')</script>`;
    const { token, id: userId } = await service.newUser();
    const project = await service.newProject(token, { title: `${evil}=1+1` });
    const site = { ...(await newSite()), token, userId, id: project.id };
    await putRecords(
      site,
      [{ token: evil, url: `https://a.example/${evil}`, identifier: evil }, { token: "=1+1" }],
      Date.now() - AGO_MS,
    );
    await queue(site);
    const dossier = await getAuditPackage(
      site.id,
      { start: ago(2 * AGO_MS), end: settled() },
      site,
    );
    const index = dossier.files.get("index.html") ?? "";
    assert.doesNotMatch(index, /<img|<script|onerror=alert\(1\)>/);
    assert.equal(index.match(/&lt;img src=x onerror=alert\(1\)&gt;/g)?.length, 6);
    assert.doesNotMatch(
      index,
      /(?:href|src)="(?!#|proofs\/|versions\/|log\/|[a-z.]+(?:\.|S")|SHA)/i,
    );
    const [, policy] =
      /content="default-src &#39;none&#39;; style-src &#39;(sha256-[^&]+)&#39;; /.exec(index) ?? [];
    const [, style = ""] = /<style>([^]*?)<\/style>/.exec(index) ?? [];
    assert.equal(policy, `sha256-${createHash("sha256").update(style).digest("base64")}`);
    assert.match(dossier.files.get("consents.csv") ?? "", /;'=1\+1;/);
    await assertVerifies(dossier);
  });

  it("isolates text direction in the index and in plain text", async () => {
    const { token, id: userId } = await service.newUser();
    const project = await service.newProject(token, { title: "Shop\u202egnoS" });
    const site = { ...(await newSite()), token, userId, id: project.id };
    await putRecords(site, [{ token: "moc\u202eevil" }], Date.now() - AGO_MS);
    await queue(site);
    for (const language of ["en", "fr"]) {
      const query = { token: "moc\u202eevil", end: settled(), language };
      const dossier = await getAuditPackage(site.id, query, site);
      const readme = dossier.files.get("README.txt") ?? "";
      assert.doesNotMatch(readme, /\p{Bidi_Control}/u);
      assert.match(readme, /Shop⟨U\+202E⟩gnoS[^]*moc⟨U\+202E⟩evil/);
      const index = dossier.files.get("index.html") ?? "";
      assert.match(index, /<title>[^<]*Shop⟨U\+202E⟩gnoS<\/title>/);
      assert.match(index, /<p class="lead">[^<]+<bdi>Shop\u202egnoS<\/bdi>[^<]+<\/p>/);
      const besides = index.replaceAll(/<bdi>[^<]*<\/bdi>/g, "");
      assert.doesNotMatch(besides, /\p{Bidi_Control}/u);
      await assertVerifies(dossier);
    }
  });
});

test("an audit package requires one subject", async () => {
  const site = await newSite();
  const cases: [Record<string, string | number>, string][] = [
    [{}, "?token"],
    [{ token: "a", sample: 3 }, "?sample"],
    [{ token: "a", seed: "s" }, "?seed"],
    [{ start: ago(0), end: settled() }, "?end"],
    [{ sample: 0 }, "?sample"],
    [{ sample: 10_001 }, "?sample"],
    [{ sample: 1, seed: "a\u0000b" }, "?seed"],
    [{ start: "yesterday" }, "?start"],
    [{ token: "a", language: "de" }, "?language"],
  ];
  for (const [query, path] of cases) {
    const { status, body } = await service.fetch(auditPackageAt(site.id, query), {
      token: site.token,
    });
    assert.equal(status, 400, JSON.stringify(query));
    assert.deepEqual([body.errors[0].path], [path], JSON.stringify(body));
  }
});

test("audit packages are limited to two concurrent ones per user; a reader that disconnects frees its slot", async () => {
  const site = await newSite();
  await fillRecords(site, 4_000, "x".repeat(2_000));
  await queue(site);
  const at = auditPackageAt(site.id, { start: ago(5 * AGO_MS), end: settled() });
  const readers = [await openRawReader(at, site), await openRawReader(at, site)];
  for (const reader of readers) assert.match(await readHead(reader), /^HTTP\/1\.1 200/);
  const small = auditPackageAt(site.id, { token: "nobody" });
  const ask = () => service.fetch(small, { token: site.token });
  const tooMany = await ask();
  assert.equal(tooMany.status, 429);
  assert.equal(tooMany.headers.get("retry-after"), "5");
  readers[0]?.destroy();
  await until(async () => (await ask()).status === 200);
  for (const reader of readers) reader.destroy();
});

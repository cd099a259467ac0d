import assert from "node:assert/strict";
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, test } from "node:test";
import { hrefOf, paths } from "@avow/contract/urls";
import { openAnswerCombinations } from "../../packages/server/modules/consents/states/answer-combinations.ts";
import { runRetention } from "../../packages/server/modules/evidence/erasures/retention.ts";
import type {
  ByteRange,
  ObjectIn,
  Objects,
} from "../../packages/server/platform/objects/objects.ts";
import { runAvow } from "../command.ts";
import { getTablesSchema, openTestDatabase } from "../database.ts";
import { setCredentials } from "../stand-ins/credentials.ts";
import { openS3StandIn } from "../stand-ins/s3.ts";
import {
  DAY_MS,
  assertSame,
  fill,
  listFiles,
  listIds,
  openArchiveSite,
  readAll,
  readFiles,
} from "./archived.ts";

/** Storage that fails at its n-th operation: before it, or after it was done. */
function failAt(
  objects: Objects,
  n: number,
  isAfter: boolean,
): { storage: Partial<Objects>; count: () => number } {
  let count = 0;
  const wrap =
    <In extends unknown[], Out>(work: (...given: In) => Promise<Out>) =>
    async (...given: In): Promise<Out> => {
      count += 1;
      if (count !== n) return work(...given);
      if (isAfter) await work(...given);
      throw new Error("killed");
    };
  const storage = {
    putObject: wrap((object: ObjectIn) => objects.putObject(object)),
    readRange: wrap((key: string, range: ByteRange) => objects.readRange(key, range)),
    deleteObject: wrap((key: string) => objects.deleteObject(key)),
  };
  return { storage, count: () => count };
}

describe("a job of archived months that is killed", () => {
  test("loses no record and has none twice, at whichever step it stops", async () => {
    await using site = await openArchiveSite();
    await fill(site);
    const ids = await listIds(site, {});
    let steps = 0;
    for (let n = 1; ; n += 1) {
      const { storage, count } = failAt(site.objects, n, n % 2 === 0);
      await site.run(storage).catch((error: Error) => assert.equal(error.message, "killed"));
      assert.deepEqual(await listIds(site, {}), ids);
      site.wait();
      steps += 1;
      if (count() < n && (await site.count("consents")) === 2) break;
      assert.ok(n < 40, "the job ends");
    }
    assert.ok(steps > 3);
    // Files of stopped attempts are deleted later.
    site.wait(DAY_MS);
    await site.run();
    assert.equal((await listFiles(site)).length, await site.count("archived_objects"));
    assert.deepEqual(await listIds(site, {}), ids);
  });

  test("keeps an erasure that happens between two steps", async () => {
    await using site = await openArchiveSite();
    await fill(site);
    const erase = (token: string) =>
      site.send(hrefOf("", paths.erasedToken, { projectId: site.id, token }), { method: "DELETE" });
    // While the file is written, after its row exists, and after the records left the database.
    const putObject: Objects["putObject"] = async (object) => {
      await site.objects.putObject(object);
      if ((await site.count("consents", "token = 'carl'")) > 0)
        assert.equal((await erase("carl")).status, 200);
    };
    await site.run({ putObject });
    assert.deepEqual(await listIds(site, { token: "carl" }), []);
    assert.equal((await erase("ben")).status, 200);
    await site.archive();
    assert.deepEqual(await listIds(site, { token: "ben" }), []);
    const anna = (await listIds(site, { token: "anna" })).length;
    assert.equal((await listIds(site, {})).length, anna + 1);
    for (let n = 0; n < 3; n += 1) {
      site.wait();
      await site.run();
    }
    assert.ok(!(await readFiles(site)).some((text) => /carl|ben/.test(text)));
    assert.equal((await listIds(site, {})).length, anna + 1);
  });
});

describe("retention of archived months", () => {
  test("erases records that are out of force, and keeps the others", async () => {
    await using site = await openArchiveSite("folder", { RETENTION_MONTHS: "1" });
    await fill(site);
    const then = await listIds(site, { token: "anna" });
    await site.archive();
    const choices = openAnswerCombinations(site.buckets);
    const retaining = { ...site, choices, retentionMonths: 1, log: { info: () => undefined } };
    await runRetention(retaining, new AbortController().signal);
    const left = await listIds(site, { token: "anna" });
    // The present answers, and the last ones before the retention period.
    assert.ok(left.length > 0 && left.length < then.length, `${left.length} of ${then.length}`);
    assert.deepEqual(
      left,
      then.filter((id) => left.includes(id)),
    );
    for (let n = 0; n < 3; n += 1) {
      await site.run();
      site.wait();
    }
    assert.deepEqual(await listIds(site, { token: "anna" }), left);
    const texts = await readFiles(site);
    for (const id of then.filter((one) => !left.includes(one)))
      assert.ok(!texts.some((text) => text.includes(id)));
  });
});

describe("archived months in S3", () => {
  test("are read by ranges", async (context) => {
    const signer = { accessKeyId: "AVOW", secretAccessKey: "secret" };
    using _credentials = setCredentials(signer);
    const s3 = await openS3StandIn({ ...signer, bucket: "private" });
    context.after(() => s3[Symbol.asyncDispose]());
    const place = { bucket: "private", prefix: "", endpoint: s3.url, region: "us-east-1" };
    const env = { ARCHIVE_S3_BUCKET: "private", S3_ENDPOINT: s3.url, S3_PATH_STYLE: "on" };
    await using site = await openArchiveSite({ kind: "s3", ...place, pathStyle: true }, env);
    await fill(site);
    const then = await readAll(site);
    await site.archive();
    assert.equal(await site.count("consents"), 2);
    assertSame(await readAll(site), then);
    const reads = s3.requests.filter(
      ({ method, key }) => method === "GET" && key.startsWith("archive/"),
    );
    assert.ok(reads.length > 0 && reads.every(({ headers }) => headers.range !== undefined));
    s3.fail(
      { method: "GET", key: /^archive/, times: 20 },
      { kind: "error", status: 503, code: "SlowDown" },
    );
    const href = hrefOf(
      "",
      paths.consents,
      { projectId: site.id },
      { start: "2024-01-01", perPage: 50 },
    );
    assert.equal((await site.send(href)).status, 503);
    s3.clear();
    assert.equal((await site.send(href)).status, 200);
  });
});

describe("avow months", () => {
  const skip = getTablesSchema() !== undefined && "avow backup rejects several buckets";
  test(
    "lists, backs up and restores archived months, and doctor misses their files",
    { skip },
    async (context) => {
      await using site = await openArchiveSite();
      await fill(site);
      await site.archive();
      const ids = await listIds(site, {});
      const env = { DATA_DIR: site.dataDir, PUBLIC_URL: "http://127.0.0.1:1", ...toUrls(site) };
      const run = async (...args: string[]) => {
        const { code, out, err } = await runAvow(args, { env });
        assert.equal(code, 0, `${args.join(" ")}: ${out}${err}`);
        return out;
      };
      const listed = await run("months", "list");
      assert.match(listed, /^2024-01 {2}3 records of 1 projects, [\d,]+ bytes in 1 files, /m);
      assert.match(listed, /^2024-02 {2}7 records/m);
      assert.match(await run("months", "archive", "--dry-run"), /ARCHIVE_AFTER_MONTHS is 0/);

      const place = join(site.dataDir, "backup");
      await run("backup", place, "--quiet");
      const manifest = JSON.parse(await readFile(join(place, "manifest.json"), "utf8"));
      assert.equal(manifest.archive.count, 3);

      const [lost = ""] = await listFiles(site);
      const bytes = await readFile(join(site.root, lost));
      await rm(join(site.root, lost));
      const { out } = await runAvow(["doctor", "--json"], { env });
      const findings = JSON.parse(out) as { name: string; state: string; text: string }[];
      const finding = findings.find(({ name }) => name === "archived months");
      assert.equal(finding?.state, "error");
      assert.ok(finding.text.includes(lost), finding.text);

      // The backup has the file.
      const copy = await openTestDatabase();
      context.after(() => copy[Symbol.asyncDispose]());
      const dataDir = join(site.dataDir, "copy");
      const restored = { ...env, ...toUrls({ ...copy, databaseUrl: copy.url }), DATA_DIR: dataDir };
      const result = await runAvow(["restore", place, "--quiet"], { env: restored });
      assert.equal(result.code, 0, result.err);
      assert.ok((await readFile(join(dataDir, "archive", lost))).equals(bytes));
      await writeFile(join(site.root, lost), bytes);

      await run("months", "restore", "2024-02", "--quiet");
      assert.equal(await site.count("consents"), 2 + 7);
      assert.deepEqual(await listIds(site, {}), ids);
      assert.equal((await runAvow(["months", "restore", "soon"], { env })).code, 2);
    },
  );
});

/** The settings of a site's databases. */
function toUrls({ databaseUrl, dataUrl }: { databaseUrl: string; dataUrl: string }) {
  const isOne = databaseUrl === dataUrl;
  return { DATABASE_URL: databaseUrl, ...(isOne ? {} : { CONSENTS_DATABASE_URL: dataUrl }) };
}

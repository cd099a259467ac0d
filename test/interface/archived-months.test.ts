import assert from "node:assert/strict";
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { hrefOf, paths } from "@avow/contract/urls";
import { rebuildStates } from "../../packages/server/modules/consents/erase/rebuild.ts";
import { restoreMonth } from "../../packages/server/modules/consents/months/restore.ts";
import { recountAnswers } from "../../packages/server/modules/consents/stats/tally.ts";
import {
  findLogSize,
  listPlacedConsents,
} from "../../packages/server/modules/evidence/log/placed.ts";
import { findHead } from "../../packages/server/modules/evidence/log/store.ts";
import { auditRecords } from "../../packages/server/modules/evidence/proofs/audit.ts";
import {
  type ArchiveSite,
  DAY_MS,
  OLD,
  assertSame,
  fill,
  listFiles,
  listIds,
  openArchiveSite,
  readAll,
  readFiles,
} from "./archived.ts";
import { assertProven } from "./proofs.ts";

describe("archived months", () => {
  let site: ArchiveSite;
  before(async () => {
    site = await openArchiveSite();
    await fill(site);
  });
  after(() => site[Symbol.asyncDispose]());

  test("answers every read as before, while records are copied, moved, and restored", async () => {
    const then = await readAll(site);
    await site.run();
    assert.equal(await site.count("archived_objects"), 3);
    assert.equal(await site.count("consents"), OLD + 2);
    assertSame(await readAll(site), then);
    site.wait();
    await site.run();
    assert.equal(await site.count("consents"), 2);
    assert.equal(await site.count("pg_class", "relname LIKE 'consents\\_2024\\_0_'"), 0);
    assertSame(await readAll(site), then);
    for (const month of ["2024-01-01", "2024-02-01", "2024-03-01"])
      await restoreMonth(site, month, { until: new Date(site.now().getTime() + DAY_MS) });
    assert.equal(await site.count("consents"), OLD + 2);
    assertSame(await readAll(site), then);
    // Files of restored months are deleted later, and the months stay where they are.
    for (let n = 0; n < 3; n += 1) {
      site.wait();
      await site.run();
    }
    assert.equal(await site.count("archived_objects"), 0);
    assert.deepEqual(await listFiles(site), []);
    assertSame(await readAll(site), then);
    site.wait(2 * DAY_MS);
    await site.archive();
    assert.equal(await site.count("consents"), 2);
    assertSame(await readAll(site), then);
  });

  test("proves archived records, and audits them against the log", async () => {
    for (const token of ["anna", "dora"])
      for (const consentId of await listIds(site, { token, sort: "createdAt" })) {
        const proof = await site.send(hrefOf("", paths.proof, { consentId }, { token }));
        assert.equal(proof.status, 200, JSON.stringify(proof.body));
        assert.equal((await assertProven(proof.body))["consentId"], consentId);
      }
    const findings: unknown[] = [];
    const { size } = (await findHead(site.data)) ?? assert.fail("the log has a tree");
    const onFinding = (finding: unknown) => void findings.push(finding);
    const tally = await auditRecords({
      buckets: site.buckets,
      db: site.db,
      size,
      onFinding,
      waitMs: 0,
    });
    assert.deepEqual(findings, []);
    assert.ok(tally.places >= OLD);
  });

  test("packs archived records into an audit package", async () => {
    const query = { start: "2024-01-01", end: "2024-12-31" };
    for (const more of [{}, { sample: 5, seed: "dice" }, { token: "anna" }]) {
      const at = hrefOf("", paths.dossier, { projectId: site.id }, { ...query, ...more });
      const { status, body } = await site.send(at);
      assert.equal(status, 200, JSON.stringify(body));
    }
  });

  test("counts the answers of archived records again", async () => {
    const placed = { config: { statisticsPages: true }, findLogSize, listPlacedConsents };
    const { differences } = await recountAnswers({ data: site.data, ...placed }, { isCheck: true });
    assert.equal(differences, 0);
  });

  test("refuses to rebuild states, which lead to archived records", async () => {
    const rebuild = rebuildStates(site.data, { projectId: site.id, isCheck: true });
    await assert.rejects(rebuild, /avow months restore/);
  });

  test("reports a missing or damaged file, and never a shorter list", async () => {
    const name = (await listFiles(site)).find((one) => one.includes("2024-02")) ?? "";
    const path = join(site.root, name);
    const bytes = await readFile(path);
    const at = hrefOf("", paths.consents, { projectId: site.id }, { perPage: 100, cursor: "" });
    assert.equal((await site.send(at)).status, 200);
    const damaged = Buffer.from(bytes);
    damaged.writeUInt8(damaged.readUInt8(100) ^ 1, 100);
    for (const change of [() => writeFile(path, damaged), () => rm(path)]) {
      await change();
      assert.equal((await site.send(at)).status, 500);
      const errors = site.lines.filter((line) => line.includes("archived object unreadable"));
      assert.match(errors.at(-1) ?? "", new RegExp(name));
    }
    await writeFile(path, bytes);
    assert.equal((await site.send(at)).status, 200);
  });

  test("merges imported records of archived months once", async () => {
    const known = await listIds(site, {});
    const again = { token: "dora", date: "2024-02-02T00:00:00.000Z", accept: true };
    await site.put([again, { token: "dora", date: "2024-02-01T09:00:00.000Z", accept: false }]);
    const ids = await listIds(site, {});
    assert.equal(ids.length, known.length + 1);
    const own = await listIds(site, { token: "dora" });
    const ascending = await listIds(site, { token: "dora", sort: "createdAt" });
    assert.deepEqual(ascending, own.toReversed());
    const then = await readAll(site);
    await site.archive();
    assert.equal(await site.count("consents"), 2);
    assertSame(await readAll(site), then);
    assert.deepEqual(await listIds(site, {}), ids);
  });

  test("erases records of a token from its files, too", async () => {
    const kept = (await listIds(site, { identifier: site.cookies })).length;
    const own = await listIds(site, { token: "anna" });
    const href = hrefOf("", paths.erasedToken, { projectId: site.id, token: "anna" });
    const { status, body } = await site.send(href, { method: "DELETE" });
    assert.equal(status, 200, JSON.stringify(body));
    assert.equal(body.count, own.length);
    const read = async () => (await listIds(site, { identifier: site.cookies })).length;
    const left = await read();
    assert.ok(left < kept);
    assert.deepEqual(await listIds(site, { token: "anna" }), []);
    for (const consentId of own)
      assert.equal(
        (await site.send(hrefOf("", paths.proof, { consentId }, { token: "anna" }))).status,
        404,
      );
    assert.ok((await readFiles(site)).some((text) => text.includes("anna")));
    for (let n = 0; n < 3; n += 1) {
      await site.run();
      site.wait();
    }
    assert.ok(!(await readFiles(site)).some((text) => text.includes("anna")));
    assert.equal(await site.count("archived_erasures"), 0);
    assert.equal(await read(), left);
  });
});

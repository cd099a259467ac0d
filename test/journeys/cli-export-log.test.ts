import assert from "node:assert/strict";
import { hash } from "node:crypto";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { service } from "../harness.ts";
import { putRecords } from "../interface/records.ts";
import { newSite } from "../interface/site.ts";
import { runAvow, toCaller } from "../command.ts";

test("avow export reports the state of the log at which a file is complete, and keeps the manifest", async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "avow-export-log-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const site = await newSite();
  await putRecords(site, [{}, {}]);
  const env = toCaller(service.url, site.token);
  for (const format of ["csv", "ndjson", "parquet"]) {
    const [file, kept] = [join(folder, `out.${format}`), join(folder, `${format}.json`)];
    const args = ["export", site.id, "-o", file, "--manifest", kept];
    const { code, err } = await runAvow(args, { env });
    assert.equal(code, 0, err);
    assert.match(err, /Complete for the log \S+\/log at [\d,]+ entries\./);
    const manifest = JSON.parse(await readFile(kept, "utf8"));
    const report = (await readFile(file)).subarray(0, manifest.bytes);
    assert.equal(manifest.sha256, hash("sha256", report));
    assert.match(manifest.log.checkpoint, /^\S+\/log\n\d+\n/);
  }
});

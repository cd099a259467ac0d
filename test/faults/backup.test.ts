import assert from "node:assert/strict";
import { cp, mkdir, readFile, readdir, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { runAvow } from "../command.ts";
import { openS3StandIn } from "../stand-ins/s3.ts";
import { assertKept, stop } from "./lifecycle/checks.ts";
import { openDataFolder, startService, waitFor } from "./lifecycle/process.ts";
import { send } from "./requests.ts";
import { type Job, type Site, assertVerifies, collect, openSite, readProof } from "./site.ts";

/** The log's origin and all links begin with it, whatever the port. */
const PUBLIC_URL = "https://consent.example";
const settings = { PUBLIC_URL };

async function uploadPicture({ address, token, projectId }: Site): Promise<string> {
  const body = new FormData();
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"><path d="M0 0h8"/></svg>`;
  body.append("file", new Blob([svg], { type: "image/svg+xml" }), "square.svg");
  body.append("projectId", projectId);
  const headers = { authorization: `Bearer ${token}` };
  const answer = await fetch(`${address}/v1/assets`, { method: "POST", headers, body });
  assert.equal(answer.status, 200, await answer.clone().text());
  const [asset] = (await answer.json()) as { url: string }[];
  return new URL(asset?.url ?? "").pathname;
}

const restore = (place: string, dataDir: string, env: Record<string, string> = {}) =>
  runAvow(["restore", place], { env: { DATA_DIR: dataDir, ...settings, ...env } });

test("a backup that is made while consents arrive restores all that was acknowledged before it, and all proofs verify", async (t) => {
  const dataDir = await openDataFolder(t, "data");
  const place = await openDataFolder(t, "backup");
  // Others may enter it, but not read the backup.
  await mkdir(place, { mode: 0o755 });
  const service = startService(dataDir, settings);
  const site = await openSite(await service.address());
  const picture = await uploadPicture(site);
  const readFiles = async (address: string) => {
    const paths = [picture, `/cdn/${site.projectId}.json`];
    const answers = paths.map(async (path) => (await fetch(address + path)).text());
    return Promise.all(answers);
  };
  const files = await readFiles(site.address);

  const acknowledged: string[] = [];
  const stopped = new AbortController();
  const collecting = (async () => {
    for (let n = 0; !stopped.signal.aborted; n += 1)
      acknowledged.push((await collect(site, `visitor-${n}`)).consentId);
  })();
  await waitFor("consents", () => acknowledged.length >= 100 || undefined);
  const proofs = await Promise.all(
    acknowledged.slice(0, 5).map((consentId) => readProof(site, consentId)),
  );
  const publishAt = new Date(Date.now() + 30_000).toISOString();
  const job = await send<Job>(`${site.address}/v1/publish/jobs/${site.projectId}`, {
    token: site.token,
    json: { publishAt, force: true },
  });

  const before = [...acknowledged];
  const env = { DATA_DIR: dataDir, ...settings };
  const backup = await runAvow(["backup", place], { env });
  assert.equal(backup.code, 0, backup.err);
  assert.match(backup.err, /is complete: [\d,]+ rows and \d+ files/);
  for (const file of await readdir(place, { recursive: true, withFileTypes: true }))
    assert.equal((await stat(join(file.parentPath, file.name))).mode & 0o077, 0, file.name);
  const again = await runAvow(["backup", place], { env });
  assert.deepEqual([again.code, /is not empty/.test(again.err)], [1, true], again.err);
  stopped.abort();
  await collecting;
  await stop(service);
  const used = await restore(place, dataDir);
  assert.deepEqual([used.code, /has rows/.test(used.err)], [1, true], used.err);
  await rm(dataDir, { recursive: true });

  const restored = await restore(place, dataDir);
  assert.equal(restored.code, 0, restored.err);
  const next = startService(dataDir, settings);
  const address = await next.address();
  const there = { ...site, address };
  assert.deepEqual(await readFiles(address), files);
  const exported = await fetch(`${address}/v1/app/exports/${site.projectId}.ndjson`, {
    headers: { authorization: `Bearer ${site.token}` },
  });
  const lines = (await exported.text()).split("\n");
  const ids = lines.flatMap((line) => /"consentId":"([^"]+)"/.exec(line)?.[1] ?? []);
  assert.deepEqual(ids.slice(0, before.length), before);
  assert.ok(ids.length <= acknowledged.length, `${ids.length} of ${acknowledged.length}`);
  for (const [n, proof] of proofs.entries()) {
    const now = await readProof(there, acknowledged[n] ?? "");
    const recordOf = (text: string) => (JSON.parse(text) as { consent: object }).consent;
    assert.deepEqual(
      Object.entries(recordOf(now)).find(([name]) => name === "record"),
      Object.entries(recordOf(proof)).find(([name]) => name === "record"),
    );
    await assertVerifies(t, now);
  }
  await assertVerifies(t, await readProof(there, before.at(-1) ?? ""));
  await assertVerifies(t, await readProof(there, (await collect(there, "later")).consentId));
  await waitFor("the scheduled publication", async () => {
    const path = `${address}/v1/publish/jobs/${job.id}`;
    const { status } = await send<Job>(path, { token: site.token });
    return status === "Done" || undefined;
  });
  await stop(next);
  await assertKept(dataDir);
});

test("a damaged backup is rejected, and the intact one can then be restored", async (t) => {
  const dataDir = await openDataFolder(t, "data");
  const place = await openDataFolder(t, "backup");
  const service = startService(dataDir, settings);
  await openSite(await service.address());
  await stop(service);
  const backup = await runAvow(["backup", place], { env: { DATA_DIR: dataDir, ...settings } });
  assert.equal(backup.code, 0, backup.err);
  await rm(dataDir, { recursive: true });

  const damaged = await openDataFolder(t, "damaged");
  await cp(place, damaged, { recursive: true });
  const names = await readdir(join(damaged, "database"));
  const name = names.find((one) => one.includes("document_versions")) ?? "";
  const file = join(damaged, "database", name);
  const bytes = await readFile(file);
  bytes.writeUInt8(bytes.readUInt8(20) ^ 1, 20);
  await writeFile(file, bytes);
  const rejected = await restore(damaged, dataDir);
  assert.equal(rejected.code, 1);
  assert.match(rejected.err, /document_versions.* is damaged/);
  const manifestFile = join(damaged, "manifest.json");
  const manifest = await readFile(manifestFile, "utf8");
  for (const [from, to] of [
    ['"name": "secret.key"', '"name": "../secret.key"'],
    ["FOR VALUES FROM (", "FOR VALUES FROM (MINVALUE) TO (MAXVALUE); DROP TABLE users; --"],
  ] as const) {
    assert.ok(manifest.includes(from));
    await writeFile(manifestFile, manifest.replace(from, to));
    const forged = await restore(damaged, dataDir);
    assert.equal(forged.code, 1);
    assert.match(forged.err, /manifest\.json in .* is damaged/);
  }
  const missing = await restore(`${place}-missing`, dataDir);
  assert.match(missing.err, /-missing does not exist/);
  await rm(manifestFile);
  const incomplete = await restore(damaged, dataDir);
  assert.match(incomplete.err, /is not a complete backup/);

  const foreign = join(dataDir, "published/600000000000000000000001.json");
  await mkdir(join(foreign, ".."), { recursive: true });
  await writeFile(foreign, "{}");
  const other = await restore(place, dataDir);
  assert.deepEqual(
    [other.code, /which is not in the backup/.test(other.err)],
    [1, true],
    other.err,
  );
  await rm(foreign);
  const restored = await restore(place, dataDir);
  assert.equal(restored.code, 0, restored.err);
  await assertKept(dataDir);
});

test("scheduled backups keep the newest, and remove incomplete ones of former days", async (t) => {
  const dataDir = await openDataFolder(t, "data");
  const place = await openDataFolder(t, "backups");
  const service = startService(dataDir, settings);
  await openSite(await service.address());
  const env = { DATA_DIR: dataDir, ...settings };
  const now = new Date().toISOString().slice(0, 10);
  for (const name of ["2020-01-01t00-00-00z", `${now}t00-00-00z`, "notes"])
    await mkdir(join(place, name), { recursive: true });
  const made: string[] = [];
  for (let n = 0; n < 3; n += 1) {
    const { code, err } = await runAvow(["backup", place, "--keep", "2"], { env });
    assert.equal(code, 0, err);
    made.push(/(\d{4}-\d\d-\d\dt[\d-]+z) is complete/.exec(err)?.[1] ?? err);
  }
  const kept = [`${now}t00-00-00z`, "notes", ...made.slice(1)].toSorted();
  assert.deepEqual((await readdir(place)).toSorted(), kept);
  const invalid = await runAvow(["backup", place, "--keep", "0"], { env });
  assert.deepEqual([invalid.code, /--keep: expected/.test(invalid.err)], [2, true]);
  await stop(service);
  const restored = await restore(join(place, made[2] ?? ""), `${dataDir}-restored`);
  assert.equal(restored.code, 0, restored.err);
});

test("a backup goes to an S3 bucket and back", async (t) => {
  const signer = { accessKeyId: "AKIDAVOW", secretAccessKey: "not-a-real-secret" };
  const s3 = await openS3StandIn({ ...signer, bucket: "backups" });
  t.after(() => s3[Symbol.asyncDispose]());
  const env = {
    S3_ENDPOINT: s3.url,
    S3_PATH_STYLE: "on",
    AWS_ACCESS_KEY_ID: signer.accessKeyId,
    AWS_SECRET_ACCESS_KEY: signer.secretAccessKey,
  };
  const dataDir = await openDataFolder(t, "data");
  const service = startService(dataDir, settings);
  const site = await openSite(await service.address());
  const { consentId } = await collect(site, "visitor");
  await readProof(site, consentId);
  const place = "s3://backups/avow/2026-11-26";
  const backup = await runAvow(["backup", place], {
    env: { DATA_DIR: dataDir, ...settings, ...env },
  });
  assert.equal(backup.code, 0, backup.err);
  for (const removed of ["", "were removed: 1\\."]) {
    const kept = await runAvow(["backup", "s3://backups/kept/", "--keep", "1"], {
      env: { DATA_DIR: dataDir, ...settings, ...env },
    });
    assert.equal(kept.code, 0, kept.err);
    assert.match(kept.err, new RegExp(`is complete: [^]*${removed}`));
  }
  await stop(service);
  await rm(dataDir, { recursive: true });
  const restored = await restore(place, dataDir, env);
  assert.equal(restored.code, 0, restored.err);
  const next = startService(dataDir, settings);
  await assertVerifies(t, await readProof({ ...site, address: await next.address() }, consentId));
  await stop(next);
});

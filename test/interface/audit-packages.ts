import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { mkdir } from "node:fs/promises";
import { promisify } from "node:util";
import { openPromise } from "yauzl";
import { sql } from "kysely";
import { hrefOf, paths } from "@avow/contract/urls";
import { parseVerifierKeys } from "../../packages/verifier/formats/verifier-key.ts";
import { verifyBundle } from "../../packages/verifier/verify.ts";
import { service } from "../harness.ts";
import { putRecords } from "./records.ts";
import type { Site } from "./site.ts";

const run = promisify(execFile);

export const auditPackageAt = (projectId: string, query: Record<string, string | number>) =>
  hrefOf("", paths.dossier, { projectId }, query);

/** An unpacked audit package. */
export interface Unpacked {
  headers: Headers;
  /** In the order of the archive. */
  names: string[];
  files: Map<string, string>;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into every shape of answer
  manifest: any;
  /** Ids of the consents that it proves. */
  ids: string[];
  bytes: Buffer;
}

/** Downloads an audit package, and unpacks it with an independent library. */
export async function getAuditPackage(
  projectId: string,
  query: Record<string, string | number>,
  { token, headers = {} }: { token: string; headers?: Record<string, string> },
): Promise<Unpacked> {
  const answer = await fetch(service.url + auditPackageAt(projectId, query), {
    headers: { ...headers, authorization: `Bearer ${token}` },
    signal: AbortSignal.timeout(60_000),
  });
  const bytes = Buffer.from(await answer.arrayBuffer());
  assert.equal(answer.status, 200, bytes.toString("utf8").slice(0, 500));
  assert.equal(answer.headers.get("content-type"), "application/zip");
  return withFolder(async (folder) => {
    const path = join(folder, "dossier.zip");
    await writeFile(path, bytes);
    const files = await unzip(path);
    const manifest = JSON.parse(files.get("manifest.json") ?? "");
    const ids = [...files.keys()].flatMap((name) => /^proofs\/(.+)\.json$/.exec(name)?.[1] ?? []);
    return { headers: answer.headers, names: [...files.keys()], files, manifest, ids, bytes };
  });
}

/** The files of an archive, read with an independent library. */
export async function unzip(path: string): Promise<Map<string, string>> {
  const zip = await openPromise(path);
  const files = new Map<string, string>();
  try {
    for await (const entry of zip.eachEntry()) {
      const blocks: Buffer[] = [];
      for await (const block of await zip.openReadStreamPromise(entry))
        blocks.push(block as Buffer);
      files.set(entry.fileName, Buffer.concat(blocks).toString());
    }
  } finally {
    zip.close();
  }
  return files;
}

async function withFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), "avow-dossier-"));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Every bundle verifies under the log's key, and the sums are those of sha256sum. */
export async function assertVerifies({ files, ids, manifest }: Unpacked): Promise<void> {
  const trustedKeys = await parseVerifierKeys(files.get("log/keys.txt") ?? "");
  const checkpoint = files.get("log/checkpoint.txt") ?? "";
  for (const id of ids) {
    const source = files.get(`proofs/${id}.json`) ?? "";
    const report = await verifyBundle(source, { trustedKeys });
    assert.equal(report.verdict, "proven", JSON.stringify(report.checks));
    const { consent, publication } = JSON.parse(source);
    assert.equal(consent.record.consentId, id);
    for (const { proof } of [consent, publication ?? consent])
      assert.ok(proof.endsWith(checkpoint), "all proofs are under one checkpoint");
  }
  assert.equal(ids.length, manifest.proven);
  await withFolder(async (folder) => {
    for (const [name, text] of files) {
      await mkdir(join(folder, dirname(name)), { recursive: true });
      await writeFile(join(folder, name), text);
    }
    const { stdout } = await run("sha256sum", ["--strict", "-c", "SHA256SUMS"], { cwd: folder });
    const found = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((one) =>
      one.isFile(),
    );
    assert.equal(stdout.trim().split("\n").length, found.length - 1, "every file but the sums");
    const sums = await readFile(join(folder, "SHA256SUMS"), "utf8");
    for (const { path, sha256 } of manifest.files)
      assert.ok(sums.includes(`${sha256}  ${path}\n`), path);
  });
}

export const AGO_MS = 60_000;

/** Inserts consents of a minute ago, and waits for them in the log. */
export async function put(site: Site, count: number): Promise<string[]> {
  const rows = Array.from({ length: count }, (_, n) => ({ token: `visitor-${n}` }));
  const ids = await putRecords(site, rows, Date.now() - AGO_MS);
  await queue(site);
  return ids;
}

/** Queues records for the log that were inserted into the table. */
export async function queue(site: Site): Promise<void> {
  await sql`INSERT INTO consent_queue SELECT project_id, id FROM consents WHERE project_id = ${site.id}`.execute(
    service.data,
  );
}

export const ago = (ms: number) => new Date(Date.now() - ms).toISOString();
/** Test records are older than this, so that an audit package up to this time waits for nothing. */
export const settled = () => ago(3_000);

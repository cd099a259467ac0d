import assert from "node:assert/strict";
import { readdir, statfs } from "node:fs/promises";
import { join } from "node:path";
import { suite, test } from "node:test";
import { gzipSync } from "node:zlib";
import type { ImportOut } from "../../../packages/server/modules/consents/imports/schema.ts";
import { skip, stop } from "../lifecycle/checks.ts";
import { waitFor } from "../lifecycle/process.ts";
import { askJson } from "./http.ts";
import { type Site, openSite } from "./site.ts";
import { type SmallDisk, findObstacle, startOnSmallDisk } from "./small-disk.ts";

const MIB = 1024 * 1024;
const RESERVE = 64 * MIB;

suite("a disk that imports would fill", { skip: skip || (await findObstacle()) }, () => {
  test("rejects uploads that would leave less than twice the reserve, and collection continues", async (t) => {
    const disk = await startOnSmallDisk(t, { diskBytes: 330 * MIB, reserveBytes: RESERVE });
    const site = await openSite(await disk.service.address());
    const lines = toLines(site, 3_000_000);
    for (const [name, body] of Object.entries({
      packed: gzipSync(lines, { level: 1 }),
      plain: lines,
      zeros: gzipSync(Buffer.alloc(256 * MIB), { level: 1 }),
    })) {
      const refused = await upload(site, body, name !== "plain");
      assert.equal(refused.status, name === "zeros" ? 413 : 503, name);
      const { detail } = (await refused.json()) as { detail: string };
      assert.match(detail, /no space for the file|more than 200 times/, name);
      assert.deepEqual(await readdir(join(disk.dataDir, "imports")), [], name);
      await collect(site, name);
    }
    assert.doesNotMatch(disk.service.output(), /disk nearly full/);
    await stop(disk.service);
  });

  test("stops an import whose records would fill the disk, and collection continues", async (t) => {
    const disk = await startOnSmallDisk(t, { diskBytes: 450 * MIB, reserveBytes: RESERVE });
    const site = await openSite(await disk.service.address());
    const body = toLines(site, 500_000);
    await disk.fill(2 * RESERVE + body.length + 24 * MIB);
    const answer = await upload(site, body, false);
    assert.equal(answer.status, 202);
    const { links } = (await answer.json()) as ImportOut;
    const headers = { authorization: `Bearer ${site.token}` };
    const job = await waitFor("the end", async () => {
      const found = await askJson<ImportOut>(links.self, { headers });
      return found.endedAt === undefined ? undefined : found;
    });
    assert.equal(job.status, "Error");
    assert.match(job.message ?? "", /mostly with the file itself, which was removed/);
    assert.ok(job.imported > 0 && job.progress < 1, JSON.stringify(job));
    await waitFor("the file's end", async () =>
      (await readdir(join(disk.dataDir, "imports"))).includes(job.id) ? undefined : true,
    );
    assert.ok((await readFree(disk)) > RESERVE);
    await collect(site, "after");
    assert.doesNotMatch(disk.service.output(), /disk nearly full/);
    await stop(disk.service);
  });
});

/** Lines that differ, as in a real file of consents, so that they compress little. */
function toLines({ identifiers }: Site, count: number): Buffer {
  const parts = ["token;collection;identifier;accept;date\n"];
  for (let at = 0; at < count; at += 1)
    parts.push(`token-${at};processings;${identifiers.processings};1;2020-01-01T00:00:00Z\n`);
  return Buffer.from(parts.join(""));
}

function upload({ address, id, token }: Site, body: Buffer, isGzip: boolean): Promise<Response> {
  return fetch(`${address}/v1/app/imports/${id}`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${token}`,
      "content-type": "text/csv",
      ...(isGzip ? { "content-encoding": "gzip" } : {}),
    },
    body: new Uint8Array(body),
  });
}

/** Throws unless a consent is accepted. */
async function collect({ address, id, identifiers }: Site, token: string): Promise<void> {
  const url = `${address}/v1/app/consents/${id}/processings/${identifiers.processings}`;
  await askJson(url, { json: { token, accept: true } });
}

async function readFree({ dataDir }: SmallDisk): Promise<number> {
  const { bavail, bsize } = await statfs(dataDir);
  return bavail * bsize;
}

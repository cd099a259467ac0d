import assert from "node:assert/strict";
import { createWriteStream } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { after, before, describe, it } from "node:test";
import { ZipFile } from "yazl";
import { type ProgramResult, runAvow } from "../command.ts";
import { newBundle } from "../verifier/log.ts";

const MIB = 1024 * 1024;

let folder = "";
const { log, text } = newBundle();
const key = log.keys[0]?.text ?? "";

before(async () => {
  folder = await mkdtemp(join(tmpdir(), "avow-archive-"));
});
after(() => rm(folder, { recursive: true, force: true }));

function verify(file: string): Promise<ProgramResult> {
  return runAvow(["verify", file, "--key", key], { cwd: folder });
}

/** Writes an archive of a good bundle and of files of zeros with the given sizes. */
async function writeArchive(name: string, empty: Record<string, number>): Promise<string> {
  const zip = new ZipFile();
  const writing = pipeline(zip.outputStream, createWriteStream(join(folder, name)));
  zip.addBuffer(Buffer.from(text), "good.json", { compress: false });
  for (const [file, bytes] of Object.entries(empty))
    zip.addReadStream(Readable.from(toZeros(bytes)), file);
  zip.end();
  await writing;
  return join(folder, name);
}

async function* toZeros(bytes: number): AsyncGenerator<Buffer> {
  const block = Buffer.alloc(MIB);
  for (let left = bytes; left > 0; left -= block.length) yield block.subarray(0, left);
}

describe("avow verify of an archive", () => {
  it("unpacks nothing when the unpacked size far exceeds the archive's", async () => {
    await writeArchive("bomb.zip", { "a.txt": 40 * MIB, "b.txt": 40 * MIB });
    const { code, out } = await verify("bomb.zip");
    assert.equal(code, 1);
    assert.match(out, /✗ bomb\.zip was not unpacked: it unpacks to more than 100 times its size/);
    assert.doesNotMatch(out, /good\.json/);
  });

  it("accepts a small archive at any compression ratio", async () => {
    await writeArchive("small.zip", { "a.txt": 4 * MIB });
    const { code, out } = await verify("small.zip");
    assert.equal(code, 0, out);
    assert.match(out, /✓ 1 of 1 bundles are proven/);
  });

  it("unpacks nothing when the declared size exceeds the limit", async () => {
    const bytes = await readFile(await writeArchive("declared.zip", { "a.txt": 10 }));
    // The unpacked size in the entry's central header:
    // https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT 4.3.12
    const header = bytes.lastIndexOf(Buffer.from("PK\u0001\u0002", "latin1"));
    bytes.writeUInt32LE(0x7f000000, header + 24);
    await writeFile(join(folder, "declared.zip"), bytes);
    const { code, out } = await verify("declared.zip");
    assert.equal(code, 1);
    assert.match(out, /✗ declared\.zip was not unpacked: a\.txt has more than 1 GiB/);
  });

  it("stops at a file that unpacks to more than its declared size", async () => {
    const bytes = await readFile(await writeArchive("more.zip", { "a.json": 3 * MIB }));
    const header = bytes.lastIndexOf(Buffer.from("PK\u0001\u0002", "latin1"));
    bytes.writeUInt32LE(1_000, header + 24);
    await writeFile(join(folder, "more.zip"), bytes);
    const { code, out } = await verify("more.zip");
    assert.equal(code, 1);
    assert.match(out, /^✗ .*a\.json\n {2} *✗ more\.zip is damaged: too many bytes/m);
    assert.match(out, /^✓ .*good\.json$/m);
  });

  it("rejects a file whose bytes do not match its CRC-32", async () => {
    const bytes = await readFile(await writeArchive("crc.zip", {}));
    const at = bytes.indexOf('"accept":true');
    assert.ok(at > 0, "the bundle is stored without compression");
    bytes.write('"accept":tru3', at);
    await writeFile(join(folder, "crc.zip"), bytes);
    const { code, out } = await verify("crc.zip");
    assert.equal(code, 1);
    assert.match(out, /✗ crc\.zip is damaged: the CRC-32 of good\.json does not match\.$/m);
  });
});

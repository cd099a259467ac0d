import assert from "node:assert/strict";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { type RequestListener, createServer } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import * as fc from "fast-check";
import { recomputeTree } from "../../packages/cli/log/tree.ts";
import { verifyConsistency } from "../../packages/verifier/tree/consistency.ts";
import { parseCheckpoint } from "../../packages/verifier/formats/checkpoint.ts";
import { parseTilePath } from "../../packages/verifier/tree/tiles.ts";
import { TestLog, newKey } from "../verifier/log.ts";
import { MTH, PROOF } from "../verifier/naive.ts";
import { runAvow } from "../command.ts";

const TILE_WIDTH = 256;

/** The bytes of a tile (C2SP tlog-tiles), from the RFC's own definition of a tree's nodes. */
function toTile(log: TestLog, path: string): Buffer {
  const { level, index, width } = parseTilePath(path);
  const leaves = level === "entries" ? 1 : TILE_WIDTH ** level;
  return Buffer.concat(
    Array.from({ length: width }, (_, at) => {
      const first = (index * TILE_WIDTH + at) * leaves;
      const entries = log.entries.slice(first, first + leaves);
      assert.equal(entries.length, leaves, path);
      if (level !== "entries") return MTH(entries);
      return Buffer.concat([Buffer.of(0, 32), entries[0] ?? Buffer.of()]);
    }),
  );
}

async function serve(listener: RequestListener) {
  const server = createServer(listener).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

function openLog(log: () => TestLog, { keys = "" }: { keys?: string } = {}) {
  return serve((req, res) => {
    const path = String(req.url).replace("/log/", "");
    if (path === "checkpoint") return res.end(log().checkpoint());
    if (path === "keys" && keys !== "") return res.end(keys);
    if (path.startsWith("tile/")) return res.end(toTile(log(), path));
    return res.writeHead(404).end();
  });
}

const log = new TestLog();
const [key] = log.keys;
let folder = "";
before(async () => {
  folder = await mkdtemp(join(tmpdir(), "avow-check-"));
  log.fill(300);
});
after(() => rm(folder, { recursive: true }));
const file = (name: string) => join(folder, name);

describe("a log's tree", () => {
  it("is rebuilt from its entries at every size, in pieces", async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: 1_100 }), fc.nat(), async (size, pick) => {
        const some = new TestLog();
        some.fill(size);
        const from = size === 0 ? 0 : pick % size;
        const { roots, wrong } = await recomputeTree(
          {
            read: async ({ level, index, width }) => {
              const leaves = level === "entries" ? 1 : TILE_WIDTH ** level;
              const hashes = Array.from({ length: width }, (_, at) => {
                const first = (index * TILE_WIDTH + at) * leaves;
                const part = some.entries.slice(first, first + leaves);
                return level === "entries" ? (part[0] ?? Buffer.of()) : MTH(part);
              });
              return Buffer.concat(hashes);
            },
          },
          { size, rootsAt: [from, size], entriesAt: [], onProgress: () => undefined },
        );
        assert.deepEqual(Buffer.from(roots.get(size) ?? []), MTH(some.entries));
        assert.deepEqual(Buffer.from(roots.get(from) ?? []), MTH(some.entries.slice(0, from)));
        assert.deepEqual(wrong, []);
      }),
      { numRuns: 25 },
    );
  });

  it("is consistent with every other tree of the same log, and with no tree of another log", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 300 }),
        fc.integer({ min: 1, max: 300 }),
        fc.nat(),
        async (a, b, pick) => {
          const [from, to] = a < b ? [a, b] : [b, a];
          const entries = log.entries.slice(0, to);
          const first = { size: from, root: MTH(entries.slice(0, from)) };
          const path = PROOF(from, entries);
          assert.ok(await verifyConsistency(first, { size: to, root: MTH(entries) }, path));
          const changed = entries.with(pick % from, Buffer.alloc(32));
          const second = { size: to, root: MTH(changed) };
          assert.ok(!(await verifyConsistency(first, second, PROOF(from, changed))));
        },
      ),
      { numRuns: 60 },
    );
  });
});

describe("avow log check", () => {
  it("monitors a log with --keep: stores each valid checkpoint, and checks the next against it", async () => {
    const grown = new TestLog(log.origin, log.keys);
    grown.fill(10);
    await using served = await openLog(() => grown);
    const args = ["log", "check", "--url", served.url, "--key", key?.text ?? ""];
    const keep = file("monitor.txt");
    const first = await runAvow([...args, "--keep", keep]);
    assert.equal(first.code, 0, first.out + first.err);
    assert.match(first.out, /There is no older checkpoint to compare with yet/);
    assert.equal(await readFile(keep, "utf8"), grown.checkpoint());
    grown.fill(500);
    const second = await runAvow([...args, "--keep", keep]);
    assert.equal(second.code, 0, second.out + second.err);
    assert.match(second.out, /the log of 510 entries begins with all 10/);
    grown.entries[3] = Buffer.alloc(32);
    const third = await runAvow([...args, "--keep", keep]);
    assert.equal(third.code, 1);
    assert.match(third.out, /✗ There are two different logs of 510 entries with the same name/);
    assert.match(third.out, /monitor\.txt was not changed/);
    assert.equal(parseCheckpoint(await readFile(keep, "utf8")).size, 510);
    grown.entries.pop();
    const fourth = await runAvow([...args, "--keep", keep, "--language", "fr"]);
    assert.match(fourth.out, /✗ Le journal a 509 entrées, mais il en comptait 510/);
  });

  it("reports without a key that the signer is not established, and keeps no checkpoint", async () => {
    await using served = await openLog(() => log);
    const args = ["log", "check", "--url", served.url, "--keep", file("none.txt")];
    const { code, out } = await runAvow([...args, "--json"]);
    assert.equal(code, 1);
    const report = JSON.parse(out);
    assert.equal(report.verdict, "open");
    assert.equal(report.size, 300);
    await assert.rejects(readFile(file("none.txt")), { code: "ENOENT" });
    const other = await runAvow([...args, "--key", newKey(log.origin).text]);
    assert.match(other.out, /✗ None of the keys that you trust/);
    assert.equal(other.code, 1);
  });

  it("trusts an announced key when the kept checkpoint covers the announcement", async () => {
    const next = newKey(log.origin);
    const rotated = new TestLog(log.origin, [...log.keys]);
    rotated.fill(20);
    const record = { type: "key", v: 1, origin: log.origin, key: next.text, signedBy: [key?.text] };
    const { salt, index } = rotated.add(record);
    await writeFile(file("before.txt"), rotated.checkpoint(20));
    await writeFile(file("overlap.txt"), rotated.checkpoint(21));
    rotated.fill(5);
    const toKeys = (announcement: object) =>
      JSON.stringify({
        origin: log.origin,
        keys: [next.text],
        announced: [{ record: announcement, salt: salt.toString("base64"), index }],
      });
    rotated.keys.splice(0, 1, next);
    await using served = await openLog(() => rotated, { keys: toKeys(record) });
    const args = ["log", "check", "--url", served.url, "--key", key?.text ?? ""];
    const covered = await runAvow([...args, "--checkpoint", file("overlap.txt")]);
    assert.equal(covered.code, 0, covered.out + covered.err);
    assert.match(covered.out, /✓ At index 20, which your saved checkpoint covers/);
    const uncovered = await runAvow([...args, "--checkpoint", file("before.txt")]);
    assert.equal(uncovered.code, 1);
    assert.match(uncovered.out, /✗ It was signed by another key of the same log/);
    const forged = { ...record, key: newKey(log.origin).text };
    await using lying = await openLog(() => rotated, { keys: toKeys(forged) });
    const lied = await runAvow([...args, "--url", lying.url, "--checkpoint", file("overlap.txt")]);
    assert.equal(lied.code, 1);
    assert.match(lied.out, /✗ The log claims to have announced a key at index 20/);
  });

  it("reports tiles that are missing, too long or malformed, and a missing log", async () => {
    // Entries and hashes are fetched at once, so either may be reported first.
    const bodies: [string, RegExp][] = [
      ["", /is missing or has the wrong length/],
      ["x".repeat(100_000), /is longer than (8704|8192) bytes/],
      ["x".repeat(8_704), /has an entry that is not 32 bytes long|is longer than 8192 bytes/],
    ];
    for (const [body, pattern] of bodies) {
      await using served = await serve((req, res) =>
        req.url === "/log/checkpoint"
          ? res.end(log.checkpoint())
          : res.writeHead(req.url === "/log/keys" ? 404 : 200).end(body),
      );
      const { code, err } = await runAvow(["log", "check", "--url", served.url]);
      assert.equal(code, 1);
      assert.match(err, pattern);
    }
    await using empty = await serve((_req, res) => res.writeHead(404).end());
    const { code, err } = await runAvow(["log", "check", "--url", empty.url]);
    assert.deepEqual([code, /There is no log at/.test(err)], [1, true], err);
  });

  it("exits with 2 on invalid usage, and prints help", async () => {
    await writeFile(file("empty.txt"), "");
    const cases: [string[], RegExp][] = [
      [["log"], /Add a command of log/],
      [["log", "chek"], /Unknown command log chek/],
      [["log", "check", "x"], /Unexpected argument x/],
      [["log", "check", "--url", "ftp://x"], /http or https/],
      [
        ["log", "check", "--checkpoint", file("empty.txt")],
        /--checkpoint: A signed note must consist of/,
      ],
      [["log", "check", "--keep", file("empty.txt")], /--keep: A signed note must consist of/],
      [["log", "check", "--records", "--url", "http://x"], /Omit --url/],
      [["log", "rotate", "--drop"], /Unknown option/],
    ];
    for (const [args, pattern] of cases) {
      const { code, err } = await runAvow(args);
      assert.equal(code, 2, err);
      assert.match(err, pattern);
    }
    for (const name of ["check", "key", "rotate"]) {
      const { code, out } = await runAvow(["log", name, "--help"]);
      assert.equal(code, 0);
      assert.match(out, new RegExp(`^Usage: avow log ${name}`));
    }
  });
});

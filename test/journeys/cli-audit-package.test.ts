import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { hash } from "node:crypto";
import { once } from "node:events";
import { cp, mkdir, mkdtemp, readFile, readdir, rm, stat, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, before, describe, it } from "node:test";
import { promisify } from "node:util";
import { type ProgramResult, runAvow, toCaller } from "../command.ts";
import { service } from "../harness.ts";
import { unzip } from "../interface/audit-packages.ts";
import { erase, waitForReceipt } from "../interface/erasures.ts";
import { waitForProof } from "../interface/proofs.ts";
import { putRecords } from "../interface/records.ts";
import { type Site, collect, newSite, publish } from "../interface/site.ts";
import { TestLog, newKey } from "../verifier/log.ts";

const run = promisify(execFile);
/** Runs the command line to its end, in the folder of the files. */
function avow(
  args: readonly string[],
  { token, url = service.url }: { token?: string; url?: string } = {},
): Promise<ProgramResult> {
  return runAvow(args, { cwd: folder, env: toCaller(url, token) });
}

let folder = "";
let site: Site;
let key = "";
const path = (name: string): string => join(folder, name);

async function unpack(archive: string, into: string): Promise<void> {
  for (const [name, text] of await unzip(path(archive))) {
    const file = join(path(into), name);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  }
}

before(async () => {
  folder = await mkdtemp(join(tmpdir(), "avow-cli-dossier-"));
  site = await newSite();
  await publish(site);
  for (let n = 0; n < 6; n += 1) {
    const json = { token: `visitor-${n % 3}`, accept: n % 2 === 0 };
    const { body } = await collect(site, "cookies", site.cookies, json);
    const bundle = await waitForProof(body.consentId, json.token);
    [key] = bundle.keys;
  }
  await writeFile(path("log.key"), `${key}\n`);
  await avow(["dossier", site.id, "--start", "2026-01-01T00:00:00Z", "-o", "whole.zip"], site);
  await unpack("whole.zip", "whole");
});
after(() => rm(folder, { recursive: true, force: true }));

describe("avow dossier", () => {
  it("writes a person's audit package, which avow verify proves, packed and unpacked", async () => {
    const written = await avow(
      ["dossier", site.id, "--visitor", "visitor-1", "-o", "person.zip"],
      site,
    );
    assert.equal(written.code, 0, written.err);
    assert.match(written.err, /2 consents in .*person\.zip: complete, and matches its SHA256SUMS/);
    await unpack("person.zip", "person");
    for (const file of ["person.zip", "person"]) {
      const { code, out } = await avow(["verify", file, "--key", "log.key"]);
      assert.equal(code, 0, out);
      assert.equal(out.match(/^✓ \d{4}-.*visitor-1 .*proofs\/[0-9a-f-]+\.json$/gm)?.length, 2);
      assert.match(out, /✓ All \d+ files match SHA256SUMS\./);
      assert.match(out, /✓ The number of consents matches the manifest: 2 with a proof, 0 pending/);
      assert.match(out, /✓ Every consent is of the manifest’s token: visitor-1\./);
      assert.match(out, /✓ Every proof has the checkpoint of log\/checkpoint\.txt\./);
      assert.match(
        out,
        /✓ 2 of 2 bundles are proven\.\n {2}· Not proven: [^]*Only for reading, and not proven: index\.html, README\.txt, consents\.csv and audit\.ndjson[^]* {2}Proven: every consent in the folder proofs, .*The rest is only for reading\.\n/,
      );
    }
    const proofs = (await readdir(path("person/proofs"))).map((name) => `person/proofs/${name}`);
    assert.equal((await avow(["verify", ...proofs, "--key", "log.key"])).code, 0);
    const bundles = await avow(["verify", "person/proofs", "--key", "log.key", "--language", "fr"]);
    assert.equal(bundles.code, 0, bundles.out);
    assert.match(
      bundles.out,
      /Ce n’est pas un dossier d’audit[^]*2 dossiers de preuve sur 2 sont prouvés/,
    );
    const trusted = ["--key", "log.key", "--checkpoint", "person/log/checkpoint.txt"];
    const kept = await avow(["verify", "person.zip", ...trusted, "--json"]);
    assert.equal(kept.code, 0, kept.out);
    const [report] = JSON.parse(kept.out);
    assert.equal(report.verdict, "proven");
    assert.equal(report.bundles.length, 2);
  });

  it("writes a sample by its seed, and a period", async () => {
    const draw = async (name: string, ...more: string[]) => {
      const { code, err } = await avow(["dossier", site.id, "-o", name, ...more], site);
      assert.equal(code, 0, err);
      await unpack(name, `${name}.d`);
      return readdir(path(`${name}.d/proofs`));
    };
    const one = await draw("one.zip", "--sample", "3", "--seed", "s");
    assert.equal(one.length, 3);
    assert.deepEqual(await draw("two.zip", "--sample", "3", "--seed", "s"), one);
    const all = await draw("period.zip", "--start", "2026-01-01T00:00:00Z", "--language", "fr");
    assert.equal(all.length, 6);
    assert.match(await readFile(path("period.zip.d/README.txt"), "utf8"), /^Dossier d’audit/);
  });

  it("exits with 2 on invalid usage and 1 when the service rejects the request, without a file", async () => {
    const cases: [string[], number, RegExp][] = [
      [["dossier"], 2, /Expected PROJECT/],
      [["dossier", site.id], 2, /Pass --visitor, --sample, or --start and --end/],
      [["dossier", site.id, "--visitor", "a", "--sample", "2"], 2, /cannot be combined/],
      [["dossier", site.id, "--visitor", "a", "--language", "de"], 2, /expected en, fr/],
      [["dossier", site.id, "--visitor", "a", "-o", "log.key"], 2, /already exists/],
      [
        ["dossier", site.id, "--visitor", "a", "-o", "none/x.zip"],
        1,
        /cannot be written\. \(ENOENT/,
      ],
      [
        ["dossier", site.id, "--sample", "0", "-o", "x.zip"],
        1,
        /The service returned 400: \?sample/,
      ],
      [["dossier", "f".repeat(24), "--visitor", "a", "-o", "x.zip"], 1, /The service returned 404/],
    ];
    for (const [args, code, pattern] of cases) {
      const found = await avow(args, site);
      assert.equal(found.code, code, `${args.join(" ")}: ${found.err}`);
      assert.match(found.err, pattern);
    }
    assert.deepEqual(
      (await readdir(folder)).filter((name) => /x\.zip|\.part$/.test(name)),
      [],
    );
    const help = await avow(["dossier", "--help"]);
    assert.equal(help.code, 0);
    assert.match(help.out, /--seed TEXT[^]*Exit status/);
  });

  it("deletes an archive that does not match its checksums", async () => {
    await avow(["dossier", site.id, "--visitor", "visitor-0", "-o", "sound.zip"], site);
    const bytes = await readFile(path("sound.zip"));
    // A byte of the first file's compressed data, which follows its name.
    bytes[200] = (bytes[200] ?? 0) ^ 0xff;
    await using server = createServer((_req, res) => {
      res.writeHead(200, { "content-type": "application/zip", "x-dossier-files": "3" }).end(bytes);
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const { code, err } = await avow(["dossier", "p", "--visitor", "a", "-o", "bad.zip"], {
      token: "t",
      url,
    });
    assert.equal(code, 1, err);
    assert.match(err, /does not match its SHA256SUMS: index\.html/);
    await assert.rejects(stat(path("bad.zip")), /ENOENT/);
  });
});

describe("avow verify of an audit package", () => {
  /** Verifies a copy of an unpacked audit package after a change. */
  async function verifyChanged(
    name: string,
    change: (at: (file: string) => string) => Promise<void>,
  ) {
    await cp(path("whole"), path(name), { recursive: true });
    await change((file) => join(path(name), file));
    return avow(["verify", name, "--key", "log.key"]);
  }
  const edit = async (file: string, from: string | RegExp, to: string) => {
    const text = await readFile(file, "utf8");
    assert.match(text, new RegExp(from));
    await writeFile(file, text.replace(from, to));
  };

  /** Recomputes all checksums, in SHA256SUMS and the manifest, as a forger would. */
  async function recomputeChecksums(at: (file: string) => string): Promise<void> {
    const list = "find . -type f ! -name SHA256SUMS ! -name manifest.json | sed 's|^./||' | sort";
    const { stdout } = await run("sh", ["-c", `${list} | xargs sha256sum`], { cwd: at(".") });
    const manifest = JSON.parse(await readFile(at("manifest.json"), "utf8"));
    manifest.files = await Promise.all(
      stdout
        .trim()
        .split("\n")
        .map(async (line) => {
          const [sha256 = "", file = ""] = line.split("  ");
          return { path: file, bytes: (await stat(at(file))).size, sha256 };
        }),
    );
    await writeFile(at("manifest.json"), JSON.stringify(manifest));
    const own = await run("sha256sum", ["manifest.json"], { cwd: at(".") });
    await writeFile(at("SHA256SUMS"), stdout + own.stdout);
  }
  let changes = 0;
  /** The same with recomputed checksums; returns the lines of the failed checks. */
  async function findForged(
    change: (at: (file: string) => string) => Promise<void>,
  ): Promise<{ code: number | null; out: string; faults: string[] }> {
    changes += 1;
    const { code, out } = await verifyChanged(`forged-${changes}`, async (at) => {
      await change(at);
      await recomputeChecksums(at);
    });
    const faults = out.split("\n").filter((line) => line.startsWith("  ✗"));
    return { code, out, faults };
  }
  const setInManifest = (name: string, value: unknown) => async (at: (file: string) => string) => {
    const manifest = JSON.parse(await readFile(at("manifest.json"), "utf8"));
    manifest[name] = value;
    await writeFile(at("manifest.json"), JSON.stringify(manifest));
  };

  it("checks the manifest against every proof, even with recomputed checksums", async () => {
    const untouched = await findForged(() => Promise.resolve());
    assert.equal(untouched.code, 0, untouched.out);
    const manifest = JSON.parse(await readFile(path("whole/manifest.json"), "utf8"));
    const [first = ""] = (await readdir(path("whole/proofs"))).map((name) => name.slice(0, -5));
    const person = { kind: "person", token: "visitor-1" };
    const cases: [string, unknown, RegExp][] = [
      ["projectId", "0".repeat(24), /Not of the manifest’s project 0{24}: proofs\//],
      ["method", person, /Not of the manifest’s token visitor-1: proofs\//],
      ["method", { kind: "all" }, /The manifest cannot be read/],
      ["from", manifest.to, /Not in the manifest’s period: proofs\//],
      ["to", "2026-01-02T00:00:00Z", /Not in the manifest’s period: proofs\//],
      ["to", "soon", /Not in the manifest’s period: proofs\//],
      ["count", 7, /The manifest lists 7 consents, 6 with a proof and 0 pending/],
      ["proven", 5, /The manifest lists 6 consents, 5 with a proof/],
      ["pending", [first], /The manifest lists 6 consents, 6 with a proof and 1 pending/],
      ["treeSize", manifest.treeSize + 1, /another log or tree than log\/checkpoint\.txt/],
      ["origin", "other.example/log", /another log or tree than log\/checkpoint\.txt/],
      ["versions", [], /The manifest does not list the versions of: proofs\//],
      [
        "versions",
        [...manifest.versions, 99],
        /Versions in the manifest that were not shown to any consent with a proof: 99\./,
      ],
      [
        "method",
        { kind: "sample", seed: "s", isOwnSeed: false, size: 6, population: 1_000_000 },
        /These consents are not 6 drawn from 1000000 by the seed “s”/,
      ],
    ];
    for (const [name, value, pattern] of cases) {
      const { code, out, faults } = await findForged(setInManifest(name, value));
      assert.equal(code, 1, `${name}: ${out}`);
      assert.match(faults.join("\n"), pattern, name);
      assert.match(out, /✓ All \d+ files match SHA256SUMS/);
    }
    const twice = await verifyChanged("twice", async (at) => {
      await edit(at("manifest.json"), '"count"', '"count": 6, "count"');
    });
    assert.match(twice.out, /✗ The manifest cannot be read: “count” occurs twice/);
  });

  it("does not claim proof for the requester, the time and the purpose of the request", async () => {
    const { code, out } = await findForged(async (at) => {
      await setInManifest("askedBy", "somebody")(at);
      await setInManifest("askedAt", "2020-01-01T00:00:00.000Z")(at);
    });
    assert.equal(code, 0, out);
    assert.match(
      out,
      /^ {2}· Not proven: .*user somebody requested the audit package on 2020-01-01T/m,
    );
    assert.doesNotMatch(out, /✓.*(?:somebody|2020-01-01)/);
  });

  it("rejects the receipt of an erasure under the name of a proof", async () => {
    const erased = await collect(site, "cookies", site.cookies, { token: "goes", accept: true });
    await waitForProof(erased.body.consentId, "goes");
    const { body } = await erase(site, "goes");
    const receipt = await waitForReceipt(site, body.links.self);
    const [proof = ""] = (await readdir(path("whole/proofs"))).toSorted();
    const { code, out, faults } = await findForged((at) =>
      writeFile(at(`proofs/${proof}`), JSON.stringify(receipt)),
    );
    assert.equal(code, 1, out);
    assert.match(out, /✓ 6 of 6 bundles are proven/);
    assert.match(faults.join("\n"), new RegExp(`Not proofs of consent: .*proofs/${proof}`));
  });

  it("rejects published files, keys and a checkpoint that are not those of the proofs", async () => {
    const [version = ""] = await readdir(path("whole/versions"));
    const cases: [string, (at: (file: string) => string) => Promise<void>, RegExp][] = [
      [
        "changed",
        (at) => writeFile(at(`versions/${version}`), "{}"),
        /Another SHA-256 than in the file name: versions\//,
      ],
      [
        "taken",
        (at) => rm(at(`versions/${version}`)),
        /The published version is not in the folder versions: proofs\//,
      ],
      [
        "put in",
        (at) => writeFile(at(`versions/${hash("sha256", "{}")}.json`), "{}"),
        /Not shown to any consent with a proof: versions\/44136fa3/,
      ],
      [
        "keys",
        (at) => writeFile(at("log/keys.txt"), `${newKey("other.example/log").text}\n`),
        /Other keys than log\/keys\.txt: proofs\//,
      ],
      [
        "checkpoint",
        (at) => writeFile(at("log/checkpoint.txt"), new TestLog().checkpoint(0)),
        /Another checkpoint than log\/checkpoint\.txt: proofs\//,
      ],
      ["no keys", (at) => rm(at("log/keys.txt")), /Other keys than log\/keys\.txt/],
      [
        "no checkpoint",
        (at) => rm(at("log/checkpoint.txt")),
        /log\/checkpoint\.txt contains no valid checkpoint/,
      ],
    ];
    for (const [name, change, pattern] of cases) {
      const { code, out, faults } = await findForged(change);
      assert.equal(code, 1, `${name}: ${out}`);
      assert.match(faults.join("\n"), pattern, name);
    }
  });

  it("rejects a changed, removed or added file", async () => {
    const [proof = ""] = (await readdir(path("whole/proofs"))).toSorted();
    const changed = await verifyChanged("c1", (at) => edit(at("index.html"), "<h1>", "<h1>!"));
    assert.equal(changed.code, 1, changed.out);
    assert.match(changed.out, /✗ Changed since SHA256SUMS was written: index\.html\./);
    const taken = await verifyChanged("c2", (at) => rm(at(`proofs/${proof}`)));
    assert.equal(taken.code, 1);
    assert.match(taken.out, /✗ Listed in SHA256SUMS, but missing: proofs\//);
    assert.match(
      taken.out,
      /✗ The manifest lists 6 consents, 6 with a proof and 0 pending, but there are 5 proofs/,
    );
    const put = await verifyChanged("c3", (at) => writeFile(at("more.txt"), "?"));
    assert.equal(put.code, 1);
    assert.match(put.out, /✗ Not listed in SHA256SUMS: more\.txt\./);
  });

  it("rejects a changed proof despite matching checksums, and names it", async () => {
    const [proof = "", other = ""] = (await readdir(path("whole/proofs"))).toSorted();
    const found = await verifyChanged("c4", async (at) => {
      await edit(at(`proofs/${proof}`), '"grade":"browser"', '"grade":"server"');
      await cp(at(`proofs/${other}`), at("proofs/copied.json"));
      await recomputeChecksums(at);
    });
    assert.equal(found.code, 1);
    assert.match(found.out, /✓ All \d+ files match SHA256SUMS/);
    assert.match(
      found.out,
      new RegExp(`^✗ .*${proof}\\n +✗ The record does not match the log`, "m"),
    );
    assert.match(found.out, /✗ Not of the consent in the file name: proofs\/copied\.json\./);
    assert.match(found.out, /✗ 6 of 7 bundles are proven\./);
  });

  it("does not report a proof without a key, with pending consents, or of an empty package", async () => {
    const keyless = await avow(["verify", "whole.zip"]);
    assert.equal(keyless.code, 1);
    assert.match(keyless.out, /\? 0 of 6 bundles are proven/);
    await putRecords(site, [{ token: "late" }], Date.now() - 30_000);
    for (const [visitor, pattern] of [
      ["late", /\? 1 of its consents were not in the log yet/],
      ["nobody", /\? It contains no proof bundle/],
    ] as const) {
      await avow(["dossier", site.id, "--visitor", visitor, "-o", `${visitor}.zip`], site);
      const { code, out } = await avow(["verify", `${visitor}.zip`, "--key", "log.key"]);
      assert.equal(code, 1, out);
      assert.match(out, pattern);
      assert.match(out, /not everything could be verified/);
    }
  });

  it("reports a damaged archive in plain words", async () => {
    const bytes = await readFile(path("whole.zip"));
    await writeFile(path("cut.zip"), bytes.subarray(0, bytes.length / 2));
    const { code, out } = await avow(["verify", "cut.zip", "--key", "log.key"]);
    assert.equal(code, 1);
    assert.match(out, /✗ cut\.zip is damaged: /);
    assert.doesNotMatch(out, / at .*\.ts:/);
  });
});

import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdir, mkdtemp, readFile, readdir, rm, stat, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, before, describe, it } from "node:test";
import { promisify } from "node:util";
import { service } from "../harness.ts";
import { unzip } from "../interface/dossiers.ts";
import { waitForProof } from "../interface/proofs.ts";
import { putRecords } from "../interface/records.ts";
import { type Site, collect, newSite, publish } from "../interface/site.ts";

const run = promisify(execFile);
const program = join(import.meta.dirname, "..", "..", "cli", "main.ts");
const RUN_TIMEOUT_MS = 60_000;

/** Runs the command line to its end, in the folder of the files. */
async function avow(
  args: readonly string[],
  { token, url = service.url }: { token?: string; url?: string } = {},
): Promise<{ code: number | null; out: string; err: string }> {
  const child = spawn(process.execPath, [program, ...args], {
    cwd: folder,
    env: {
      PATH: process.env["PATH"],
      AVOW_URL: url,
      ...(token === undefined ? {} : { AVOW_TOKEN: token }),
    },
    stdio: ["ignore", "pipe", "pipe"],
    timeout: RUN_TIMEOUT_MS,
  });
  let [out, err] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => (out += chunk));
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => (err += chunk));
  const [code] = (await once(child, "close")) as [number | null];
  return { code, out, err };
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
  it("writes a person's, which avow verify proves, packed and unpacked", async () => {
    const written = await avow(
      ["dossier", site.id, "--visitor", "visitor-1", "-o", "person.zip"],
      site,
    );
    assert.equal(written.code, 0, written.err);
    assert.match(written.err, /2 consents in .*person\.zip: complete and checked/);
    await unpack("person.zip", "person");
    for (const file of ["person.zip", "person"]) {
      const { code, out } = await avow(["verify", file, "--key", "log.key"]);
      assert.equal(code, 0, out);
      assert.equal(out.match(/^✓ \d{4}-.*visitor-1 .*proofs\/[0-9a-f-]+\.json$/gm)?.length, 2);
      assert.match(out, /✓ All \d+ files are as SHA256SUMS has them\./);
      assert.match(out, /✓ As many proofs as the manifest tells: 2\./);
      assert.match(out, /✓ Every proof is under the one checkpoint of log\/checkpoint\.txt\./);
      assert.match(out, /✓ 2 of 2 bundles are proven\.\n\n {2}Proven: everything holds\./);
    }
    const proofs = (await readdir(path("person/proofs"))).map((name) => `person/proofs/${name}`);
    assert.equal((await avow(["verify", ...proofs, "--key", "log.key"])).code, 0);
    const bundles = await avow(["verify", "person/proofs", "--key", "log.key", "--language", "fr"]);
    assert.equal(bundles.code, 0, bundles.out);
    assert.match(bundles.out, /Pas un dossier[^]*2 preuves sur 2 sont établies/);
    const trusted = ["--key", "log.key", "--checkpoint", "person/log/checkpoint.txt"];
    const kept = await avow(["verify", "person.zip", ...trusted, "--json"]);
    assert.equal(kept.code, 0, kept.out);
    const [told] = JSON.parse(kept.out);
    assert.equal(told.verdict, "proven");
    assert.equal(told.bundles.length, 2);
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
    assert.match(await readFile(path("period.zip.d/README.txt"), "utf8"), /^Dossier de/);
  });

  it("answers 2 for a wrong use, 1 when the service says no, and leaves no file behind", async () => {
    const cases: [string[], number, RegExp][] = [
      [["dossier"], 2, /Expected PROJECT/],
      [["dossier", site.id], 2, /Name --visitor, --sample, or --start and --end/],
      [["dossier", site.id, "--visitor", "a", "--sample", "2"], 2, /are two dossiers/],
      [["dossier", site.id, "--visitor", "a", "--language", "de"], 2, /expected en, fr/],
      [["dossier", site.id, "--visitor", "a", "-o", "log.key"], 2, /is there already/],
      [["dossier", site.id, "--visitor", "a", "-o", "none/x.zip"], 1, /cannot be written/],
      [["dossier", site.id, "--sample", "0", "-o", "x.zip"], 1, /The service says 400: \?sample/],
      [["dossier", "f".repeat(24), "--visitor", "a", "-o", "x.zip"], 1, /The service says 404/],
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

  it("keeps nothing of an archive that is not what its sums tell", async () => {
    await avow(["dossier", site.id, "--visitor", "visitor-0", "-o", "sound.zip"], site);
    const bytes = await readFile(path("sound.zip"));
    // A byte of the first file's compressed data, which starts behind its name.
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
    assert.match(err, /is not what its SHA256SUMS tell: index\.html/);
    await assert.rejects(stat(path("bad.zip")), /ENOENT/);
  });
});

describe("avow verify of a dossier", () => {
  /** A copy of an unpacked dossier in which something was changed. */
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

  it("fails for a file that was changed, taken out or put in", async () => {
    const [proof = ""] = (await readdir(path("whole/proofs"))).toSorted();
    const changed = await verifyChanged("c1", (at) => edit(at("index.html"), "<h1>", "<h1>!"));
    assert.equal(changed.code, 1, changed.out);
    assert.match(changed.out, /✗ Changed since SHA256SUMS was made: index\.html\./);
    const taken = await verifyChanged("c2", (at) => rm(at(`proofs/${proof}`)));
    assert.equal(taken.code, 1);
    assert.match(taken.out, /✗ Missing, though SHA256SUMS lists them: proofs\//);
    assert.match(taken.out, /✗ The manifest tells of 6 proofs, and there are 5\./);
    const put = await verifyChanged("c3", (at) => writeFile(at("more.txt"), "?"));
    assert.equal(put.code, 1);
    assert.match(put.out, /✗ Not listed in SHA256SUMS: more\.txt\./);
  });

  it("fails for a proof that was changed, whatever the sums say, and tells which", async () => {
    const [proof = "", other = ""] = (await readdir(path("whole/proofs"))).toSorted();
    const found = await verifyChanged("c4", async (at) => {
      await edit(at(`proofs/${proof}`), '"grade":"browser"', '"grade":"server"');
      await cp(at(`proofs/${other}`), at("proofs/copied.json"));
      const { stdout } = await run(
        "sh",
        ["-c", "find . -type f ! -name SHA256SUMS | sed 's|^./||' | xargs sha256sum"],
        {
          cwd: at("."),
        },
      );
      await writeFile(at("SHA256SUMS"), stdout);
    });
    assert.equal(found.code, 1);
    assert.match(found.out, /✓ All \d+ files are as SHA256SUMS has them/);
    assert.match(
      found.out,
      new RegExp(`^✗ .*${proof}\\n +✗ The record is not what the log has`, "m"),
    );
    assert.match(found.out, /✗ Not of the consent that the file names: proofs\/copied\.json\./);
    assert.match(found.out, /✗ 6 of 7 bundles are proven\./);
  });

  it("does not call proven what nobody's key is given for, what still waits, or nothing", async () => {
    const keyless = await avow(["verify", "whole.zip"]);
    assert.equal(keyless.code, 1);
    assert.match(keyless.out, /\? 0 of 6 bundles are proven/);
    await putRecords(site, [{ token: "late" }], Date.now() - 30_000);
    for (const [visitor, pattern] of [
      ["late", /\? 1 of its consents had no place in the log yet/],
      ["nobody", /\? There is no proof bundle in it/],
    ] as const) {
      await avow(["dossier", site.id, "--visitor", visitor, "-o", `${visitor}.zip`], site);
      const { code, out } = await avow(["verify", `${visitor}.zip`, "--key", "log.key"]);
      assert.equal(code, 1, out);
      assert.match(out, pattern);
      assert.match(out, /not everything is established/);
    }
  });

  it("says in plain words that an archive is damaged", async () => {
    const bytes = await readFile(path("whole.zip"));
    await writeFile(path("cut.zip"), bytes.subarray(0, bytes.length / 2));
    const { code, out } = await avow(["verify", "cut.zip", "--key", "log.key"]);
    assert.equal(code, 1);
    assert.match(out, /✗ cut\.zip is damaged: /);
    assert.doesNotMatch(out, / at .*\.ts:/);
  });
});

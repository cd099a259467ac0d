import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import {
  type ProgramResult,
  type RunOptions,
  runAvow,
  runAvowForHead,
  runProgram,
} from "../command.ts";
import { TestLog, consentRecord, newBundle, newKey } from "../verifier/log.ts";

const ESCAPE = "\u001b";

/** Runs `avow verify` to its end, in the folder of the files. */
function verify(args: readonly string[], options: RunOptions = {}): Promise<ProgramResult> {
  return runAvow(["verify", ...args], { cwd: folder, ...options });
}

let folder = "";
const { log, bundle, text } = newBundle();
const key = log.keys[0]?.text ?? "";

before(async () => {
  folder = await mkdtemp(join(tmpdir(), "avow-verify-"));
  const files = {
    "good.json": text,
    "bad.json": text.replace('"accept":true', '"accept":false'),
    "log.key": `# ${log.origin}\n${key}\n`,
    "other.key": newKey(log.origin).text,
    "empty.key": "# none yet\n",
    "kept.txt": log.checkpoint(6),
    "consistency.json": JSON.stringify({ ...log.consistency(6), links: {} }),
    "large.json": `${text}${" ".repeat(16 * 1024 * 1024)}`,
  };
  for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content);
});
after(() => rm(folder, { recursive: true, force: true }));

describe("avow verify", () => {
  it("exits with 0 when every check passes, with a key as an argument or in a file", async () => {
    for (const given of [key, "log.key"]) {
      const { code, out, err } = await verify(["good.json", "--key", given]);
      assert.equal(code, 0, out + err);
      assert.match(out, /^good\.json\n {2}✓ A well-formed proof bundle/);
      assert.match(out, /✓ It was signed by a key that you trust/);
      assert.match(out, / {2}Answer +Accepted\n {2}Answer: Matomo \(matomo\) +refused\n/);
      assert.match(out, / {2}Proven: all checks passed\.\n/);
      assert.doesNotMatch(out, /[✗?]/);
      assert.ok(!out.includes(ESCAPE), "no colours outside a terminal");
      assert.equal(err, "");
    }
  });

  it("reports that a file is not a bundle, and what to pass instead", async () => {
    for (const [content, advice] of [
      ["%PDF-1.7\n\u00ff", /Save its attachment/],
      [
        '{\n  "@context": {}, "dct:type": "avow-proof-bundle/v1"}',
        /the JSON format: \?format=json/,
      ],
      ['{"a":1}', /Select the \.json file from the service/],
    ] as const) {
      const { code, out } = await verify(["-", "--key", key], { input: content });
      assert.equal(code, 1);
      assert.match(out, advice);
      assert.match(out, /This is not a proof bundle\./);
      assert.doesNotMatch(out, /Not proven/);
    }
    const french = await verify(["-", "--language", "fr"], { input: "%PDF-1.7" });
    assert.match(french.out, /Enregistrez sa pièce jointe[^]*Ce n’est pas un dossier de preuve\./);
    const damaged = await verify(["-", "--key", key], { input: text.slice(0, -1) });
    assert.match(damaged.out, /Not proven: a check failed/);
  });

  it("asks for both keys when another key of the same log signed", async () => {
    const { code, out } = await verify([
      "good.json",
      "--key",
      "other.key",
      "--checkpoint",
      "kept.txt",
    ]);
    assert.equal(code, 1);
    assert.match(out, /✗ It was signed by another key of the same log: .*--key twice/);
    assert.match(out, /✗ Your saved checkpoint is signed by another key .*--key twice/);
  });

  it("exits with 1 without a key, and reports that the signer is not established", async () => {
    const { code, out } = await verify(["good.json"]);
    assert.equal(code, 1);
    assert.match(out, /\? The signer is not verified/);
    assert.match(out, /Consistent, but not everything could be verified\./);
  });

  it("exits with 1 when one of several files is changed, foreign, missing or too large", async () => {
    const files = ["good.json", "bad.json", "none.json", "large.json", "."];
    const { code, out } = await verify([...files, "--key", "log.key"]);
    assert.equal(code, 1);
    assert.equal(out.match(/Proven: all checks passed/g)?.length, 1);
    assert.equal(out.match(/Not proven: a check failed/g)?.length, 4);
    assert.match(out, /bad\.json\n(?:.*\n)*? {2}✗ The record does not match the log at index 7/);
    assert.match(out, /✗ There is no file none\.json\./);
    assert.match(out, /✗ large\.json has more than 16 MiB\./);
    assert.match(out, /^\.\n(?:.*\n)*? {2}✗ 1 of 4 bundles are proven\./m);
    assert.equal((await verify(["good.json", "--key", "other.key"])).code, 1);
  });

  it("fails a file of one giant string alone, and reports on the others", async () => {
    const giant = "A".repeat(12_000_000);
    const proof = `${bundle.consent.proof.trimEnd().split("\n— ")[0]}\n`;
    const bad = {
      "salt.json": { ...bundle, consent: { ...bundle.consent, salt: giant } },
      "path.json": {
        ...bundle,
        consent: {
          ...bundle.consent,
          proof: bundle.consent.proof.replace("index 7\n", `index 7\n${giant}\n`),
        },
      },
      "line.json": { ...bundle, consent: { ...bundle.consent, proof: `${proof}— ${giant}\n` } },
      "signature.json": {
        ...bundle,
        consent: { ...bundle.consent, proof: `${proof}— a ${giant}\n` },
      },
      "key.json": { ...bundle, keys: [`a+00000000+${giant}`] },
    };
    for (const [name, content] of Object.entries(bad))
      await writeFile(join(folder, name), JSON.stringify(content));
    const files = [...Object.keys(bad), "good.json"];
    const { code, out, err } = await verify([...files, "--key", key, "--json"]);
    assert.equal(code, 1, err);
    const report = JSON.parse(out) as {
      file: string;
      verdict: string;
      checks: { says: string }[];
    }[];
    assert.deepEqual(
      report.map(({ file, verdict }) => [file, verdict]),
      files.map((file) => [file, file === "good.json" ? "proven" : "broken"]),
    );
    assert.match(
      report[0]?.checks[0]?.says ?? "",
      /“consent\.salt” must have 32 bytes, but has 9000000/,
    );
    assert.doesNotMatch(out, /call stack|checked completely/);
    const shown = await verify(["salt.json", "good.json", "--key", key]);
    assert.match(shown.out, /^salt\.json\n {2}✗ [^]*^good\.json\n[^]*Proven: all checks passed/m);
  });

  it("reads standard input", async () => {
    const { code, out } = await verify(["-", "--key", key], { input: text });
    assert.equal(code, 0, out);
    const large = await verify(["-"], { input: " ".repeat(17 * 1024 * 1024) });
    assert.match(large.out, /- has more than 16 MiB/);
    assert.equal(large.code, 1);
  });

  it("checks consistency with an older kept checkpoint", async () => {
    const args = ["good.json", "--key", key, "--checkpoint", "kept.txt"];
    const open = await verify(args);
    assert.equal(open.code, 1);
    assert.match(
      open.out,
      /\? It was not checked whether .*\. Get the proof with GET \/v1\/app\/proofs/,
    );
    const { code, out } = await verify([...args, "--consistency", "consistency.json"]);
    assert.equal(code, 0, out);
    assert.match(out, /✓ Nothing was rewritten: the log of 13 entries begins with all 6/);
  });

  it("prints the same findings as JSON, and in French", async () => {
    const { code, out } = await verify(["good.json", "bad.json", "--key", key, "--json"]);
    assert.equal(code, 1);
    const report = JSON.parse(out) as {
      file: string;
      verdict: string;
      checks: { name: string; holds: boolean }[];
    }[];
    assert.deepEqual(
      report.map(({ file, verdict, checks }) => [
        file,
        verdict,
        checks.find(({ holds }) => !holds)?.name,
      ]),
      [
        ["good.json", "proven", undefined],
        ["bad.json", "broken", "inclusion"],
      ],
    );
    const french = await verify(["good.json", "--key", key, "--language", "fr"]);
    assert.match(french.out, /Prouvé : toutes les vérifications ont réussi\./);
  });

  it("escapes control characters of a record", async () => {
    const evil = new TestLog(log.origin, log.keys);
    const record = {
      ...consentRecord,
      token: "\u001b[2J\u202Egpj",
      publication: null,
      "\u001b[31m": 1,
    };
    const { salt, index } = evil.add(record);
    const consent = { record, salt: salt.toString("base64"), proof: evil.proof(index) };
    const input = JSON.stringify({ ...bundle, consent, publication: null });
    const { code, out } = await verify(["-", "--key", key], { input, env: { FORCE_COLOR: "1" } });
    assert.equal(code, 0, out);
    assert.match(out, /\\u\{1b\}\[2J\\u\{202e\}gpj/);
    assert.ok(!out.includes(`${ESCAPE}[2J`) && !out.includes("\u202E"));
    assert.ok(out.includes(`${ESCAPE}[32m✓`), "colours are present, as requested");
  });

  it("exits with 2 on invalid usage, and prints the reason", async () => {
    const cases: [string[], RegExp][] = [
      [[], /Expected at least one FILE/],
      [["-", "-"], /Standard input can be read only once/],
      [["good.json", "--key", "none.key"], /--key: There is no file none\.key/],
      [["good.json", "--key", "empty.key"], /no key in empty\.key/],
      [["good.json", "--key", "good.json"], /--key: This is not a key/],
      [
        ["good.json", "--key", key.replace("example", "examplf")],
        /--key: The key of .* was changed/,
      ],
      [["good.json", "--checkpoint", "log.key"], /--checkpoint: A signed note must consist of/],
      [["good.json", "--consistency", "log.key"], /--consistency: This is not valid JSON/],
      [["good.json", "--language", "de"], /expected en, fr/],
      [["good.json", "--keys"], /Unknown option/],
    ];
    for (const [args, reason] of cases) {
      const { code, out, err } = await verify(args);
      assert.equal(code, 2, `${args.join(" ")}: ${out}${err}`);
      assert.match(err, reason);
    }
    const { code, out } = await verify(["--help"]);
    assert.equal(code, 0);
    assert.match(out, /--consistency FILE/);
  });

  it("reports a closed standard output", async () => {
    const files = Array.from({ length: 100 }, () => "good.json");
    const { out, err } = await runAvowForHead(["verify", ...files], { cwd: folder });
    assert.equal(out, "good.json\n");
    assert.equal(err, "Standard output was closed before the end.\nstatus 1\n");
  });

  it("runs by npx in a checkout", async () => {
    const program = join(import.meta.dirname, "../../packages/server/avow.mjs");
    const args = ["verify", "good.json", "--key", "log.key"];
    const { code, out, err } = await runProgram(program, args, { cwd: folder });
    assert.equal(code, 0, out + err);
  });
});

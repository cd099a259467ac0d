import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { it } from "node:test";
import sharp from "sharp";
import { service } from "../harness.ts";
import { readLikeOldReader } from "../old-reader.ts";

const OUTPUT_MS_MAX = 60_000;

/** The shell blocks of the tour. */
async function readTour(): Promise<string> {
  const tour = await readFile(
    new URL("../../docs/tutorials/http-tour.md", import.meta.url),
    "utf8",
  );

  const blocks = [...tour.matchAll(/```sh\n(.*?)```/gs)].map(([, block = ""]) => block);
  assert.equal(blocks.length, 2);
  return blocks.join("\n");
}

async function runShell(
  script: string,
  cwd?: string,
): Promise<{ code: number | null; output: string }> {
  const shell = spawn("sh", ["-eu", "-c", script], {
    env: { ...process.env, AVOW: service.url },
    cwd,
    stdio: ["ignore", "pipe", "pipe"],
    timeout: OUTPUT_MS_MAX,
  });
  let output = "";
  for (const stream of [shell.stdout, shell.stderr])
    stream.on("data", (chunk: Buffer) => (output += chunk.toString()));
  const code = await new Promise<number | null>((resolve) => shell.once("close", resolve));
  return { code, output };
}

it("the examples of docs/guides/files-and-pictures.md work after the tour as written", async (t) => {
  const docs = await readFile(
    new URL("../../docs/guides/files-and-pictures.md", import.meta.url),
    "utf8",
  );
  const blocks = [...docs.matchAll(/```sh\n(.*?)```/gs)].map(([, block = ""]) => block);
  assert.equal(blocks.length, 1);
  const folder = await mkdtemp(join(tmpdir(), "avow-docs-"));
  t.after(() => rm(folder, { recursive: true }));
  const { code, output } = await runShell([await readTour(), ...blocks].join("\n"), folder);
  assert.equal(code, 0, output);
  assert.match(await readFile(join(folder, "read.svg"), "utf8"), /^<svg .*<circle/);
  const sizes = { "crop.webp": ["webp", 400, 300], "icon.png": ["png", 144, 144] };
  for (const [name, documented] of Object.entries(sizes)) {
    const { format, width, height } = await sharp(join(folder, name)).metadata();
    assert.deepEqual([format, width, height], documented);
  }
  assert.match(output, /"dominantColor":"#b4532a"/);
  assert.match(output, /The file is used by .*Cookies.* \(cookies\/[0-9a-f]{24}\)/);
});

it("the tour of the HTTP interface works as written", async () => {
  const { code, output } = await runShell(await readTour());
  assert.equal(code, 0, output);
  assert.match(output, /"projectName":"My shop"/);
  assert.match(output, /"status":"refused"/);
  assert.match(output, /"status":"accepted"/);
  assert.match(output, /"items":\[\{"token":"visitor-1"/);
  const records = [...output.matchAll(/^visitor-1;(\w+);\w+;1;/gm)].map(([, name]) => name);
  assert.deepEqual(records, ["cookies", "processings"], output);
  const [, projectId] = /"projectId":"([0-9a-f]{24})"/.exec(output) ?? [];
  const { body: file } = await service.fetch(`${service.config.cdnUrl}/${projectId}.json`);
  assert.deepEqual(
    readLikeOldReader(file).map(({ list, name, title, language }) => [list, name, title, language]),
    [
      ["cookies", "cookies", "Cookies", "en"],
      ["processings", "newsletter", "Newsletter", "en"],
    ],
  );
});

it("the requests of docs/guides/gdpr-requests.md work after the tour as written", async (t) => {
  const guide = await readFile(
    new URL("../../docs/guides/gdpr-requests.md", import.meta.url),
    "utf8",
  );
  const blocks = [...guide.matchAll(/```sh\n(.*?)```/gs)].map(([, block = ""]) => block);
  assert.equal(blocks.length, 11);
  const folder = await mkdtemp(join(tmpdir(), "avow-docs-"));
  t.after(() => rm(folder, { recursive: true }));
  const variables = `VISITOR=visitor-1 CONFIGURATION=$NEWSLETTER SEED=1 AVOW_URL=$AVOW AVOW_TOKEN=$TOKEN
export AVOW_URL AVOW_TOKEN`;
  const [access = "", link = "", withdrawal = "", list = "", erasure = "", ...more] = blocks;
  // The rule and its proposals need a second owner: test/interface/second-person.test.ts. Only a person can make a request
  // to decline: test/interface/person-rights.test.ts.
  const [, , , ...others] = more;
  const requests = [access, link, withdrawal, list, ...others, erasure];
  const script = [await readTour(), variables, ...requests].join("\n");
  const { code, output } = await runShell(script.replace("sample.zip", join(folder, "sample.zip")));
  assert.equal(code, 0, output);
  assert.match(output, /"url":"[^"]+\/c\//);
  assert.match(output, /"reason":"request"[^\n]*"count":3/);
});

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { cp, mkdtemp, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { promisify } from "node:util";
import { findFreePort } from "../../packages/server/platform/ports.ts";
import { type Machine, type Service, openMachine } from "./machine.ts";
import { openRegistry } from "./registry.ts";
import { toolModules } from "./tools.ts";

const run = promisify(execFile);
const root = join(import.meta.dirname, "../..");
const packed = join(root, "dist/packed");
const tarballs = (await readdir(packed)).map((file) => join(packed, file));
/** The number that the demo collects. */
const CONSENTS = 11;
const TIMEOUT_MS = 300_000;
const libraries = [
  "client",
  "contract",
  "postgres",
  "react",
  "react-native",
  "verifier",
  "vue",
  "widget",
];

/** A program of a user of all libraries. */
const program = `import { createClient } from "@avow/client";
import { getProof, listConsents } from "@avow/client/operations";
import { isAsked } from "@avow/contract/answers";
import { hrefOf, paths } from "@avow/contract/urls";
import { openEmbeddedPostgres } from "@avow/postgres";
import { verifyBundle } from "@avow/verifier";
import { parseVerifierKey } from "@avow/verifier/keys";
import type { Avow } from "@avow/widget";

declare const process: { argv: string[]; env: { AVOW_TOKEN?: string } };
declare const console: { log(text: string): void };
export const whenAccepted = (avow: Avow): Promise<void> => avow.whenAccepted("google_analytics");
const [url = "", projectId = "", key = ""] = process.argv.slice(2);
const client = createClient({ url, token: process.env.AVOW_TOKEN });
const consents = await client.send(listConsents, { path: { projectId } });
const [first] = consents;
if (!first) throw new Error("There are no consents.");
const bundle = await client.send(getProof, { path: { consentId: first.consentId } });
const bytes = new TextEncoder().encode(JSON.stringify(bundle));
const trustedKeys = [await parseVerifierKey(key)];
const { verdict } = await verifyBundle(bytes, { trustedKeys });
const log = { info() {}, warn() {}, error() {} };
const postgres = await openEmbeddedPostgres({ dataDir: "./postgres", log });
await postgres[Symbol.asyncDispose]();
console.log(JSON.stringify({
  consents: consents.length,
  verdict,
  isAsked: isAsked({ required: true }),
  path: hrefOf("", paths.publishedProject, { projectId }),
  postgres: new URL(postgres.url).protocol,
}));
`;

interface Site {
  project: string;
  token: string;
}

/** Sets up the demo on a service; its output has the project and a token. */
async function setUpDemo(machine: Machine, { url }: Service): Promise<Site> {
  const { port } = new URL(url);
  const out = await machine.run("env", `PORT=${port}`, "npx", "avow", "demo");
  const [, project = ""] = /\/cdn\/([0-9a-f]{24})\.json/.exec(out) ?? [];
  const [token = ""] = /avw_[\w-]+/.exec(out) ?? [];
  assert.match(`${project} ${token}`, /^\S+ \S+$/, out);
  return { project, token };
}

async function countConsents({ url }: Service, { project, token }: Site): Promise<number> {
  const headers = { authorization: `Bearer ${token}` };
  const response = await fetch(`${url}/v1/app/consents/${project}`, { headers });
  assert.equal(response.status, 200);
  return ((await response.json()) as unknown[]).length;
}

describe("each package", () => {
  for (const file of tarballs)
    it(`has types and entry points that every resolver finds: ${file.split("/").at(-1) ?? ""}`, async () => {
      const bin = join(toolModules, ".bin");
      await run(join(bin, "publint"), ["run", file, "--strict"]);
      await run(join(bin, "attw"), [file, "--profile", "esm-only"]);
    });

  it("has a README, a licence, a changelog and no file of the workspace", async () => {
    assert.equal(tarballs.length, libraries.length + 1);
    for (const file of tarballs) {
      const { stdout } = await run("tar", ["-tzf", file]);
      const names = stdout.trim().split("\n");
      for (const name of ["README.md", "LICENSE", "CHANGELOG.md", "package.json"])
        assert.ok(names.includes(`package/${name}`), `${file} has no ${name}`);
      const strange = names.filter((name) =>
        /(?<!\.d)\.tsx?$|\.test\.|tsconfig|\.map$|\/build\//.test(name),
      );
      assert.deepEqual(strange, [], file);
      const read = async (name: string) =>
        (await run("tar", ["-xzOf", file, `package/${name}`])).stdout;
      const manifest = JSON.parse(await read("package.json"));
      assert.equal(manifest.private, undefined);
      const provenance = manifest.repository === undefined ? {} : { provenance: true };
      assert.deepEqual(manifest.publishConfig, { access: "public", ...provenance });
      assert.deepEqual(manifest.engines, { node: ">=22" });
      assert.doesNotMatch(
        await read("README.md"),
        /\]\((?!https?:|#)|\bdocs\/\w|decision \d/,
        "names files that only the repository has",
      );
    }
  });
});

it("the command says which Node it needs, in one line", async () => {
  const old = join(toolModules, "node-18/bin/node");
  const command = join(root, "dist/avow/lib/server/avow.mjs");
  await assert.rejects(
    run(old, [command]),
    ({ code, stderr }: { code: number; stderr: string }) => {
      assert.equal(code, 1);
      assert.match(stderr, /^Avow \S+ needs Node 22 or newer, and this is Node 18[^\n]+\n$/);
      return true;
    },
  );
});

it(
  "one file installs the service on a machine with Node 22, which collects and keeps consents",
  { timeout: TIMEOUT_MS },
  async () => {
    await using machine = await openMachine();
    const avow = tarballs.find((file) => /avow-\d/.test(file)) ?? "";
    await machine.run("npm", "install", avow);
    assert.match(await machine.run("npx", "avow", "--help"), /avow backup/);
    const port = await findFreePort("127.0.0.1");
    const demo = await machine.run("env", `PORT=${port}`, "npx", "avow", "demo", "--once");
    assert.match(demo, /The service that the demo started has stopped/);
    let site: Site;
    {
      await using service = await machine.start();
      site = await setUpDemo(machine, service);
      assert.equal(await countConsents(service, site), CONSENTS);
      await machine.run("npx", "avow", "backup", "copy");
      assert.equal(await service.stop(), 0, service.output());
    }
    await using again = await machine.start();
    assert.equal(await countConsents(again, site), CONSENTS);
  },
);

it(
  "the packages are published, installed by name, used and upgraded",
  { timeout: TIMEOUT_MS },
  async (t) => {
    await using registry = await openRegistry();
    await using machine = await openMachine(registry.npmrc);
    const { version } = JSON.parse(await readFile(join(root, "dist/avow/package.json"), "utf8"));
    const publish = (target: string) =>
      machine.run("npm", "publish", target, "--provenance=false", "--loglevel=error");
    for (const file of tarballs) await publish(file);

    await machine.run("npm", "install", "avow", ...libraries.map((name) => `@avow/${name}`));
    let site: Site;
    {
      await using service = await machine.start();
      site = await setUpDemo(machine, service);
      const key = (await machine.run("npx", "avow", "log", "key")).trim().split(/\s/)[0] ?? "";
      await writeFile(join(machine.folder, "main.ts"), program);
      const compiler = join(root, "node_modules/typescript/bin/tsc");
      const options = [
        "--strict",
        "--exactOptionalPropertyTypes",
        "--module",
        "nodenext",
        "--target",
        "es2022",
        "--types",
        "",
      ];
      const lib = ["--lib", "es2023,dom,esnext.disposable", "--skipLibCheck", "false"];
      await run(process.execPath, [compiler, ...options, ...lib, "main.ts"], {
        cwd: machine.folder,
      });
      const args = [`AVOW_TOKEN=${site.token}`, "node", "main.js", service.url, site.project, key];
      assert.deepEqual(JSON.parse(await machine.run("env", ...args)), {
        consents: CONSENTS,
        verdict: "proven",
        isAsked: false,
        path: `/v1/publish/projects/${site.project}`,
        postgres: "postgresql:",
      });
    }

    const next = await mkdtemp(join(tmpdir(), "avow-next-"));
    t.after(() => rm(next, { recursive: true }));
    await cp(join(root, "dist/avow"), next, { recursive: true });
    const manifest = JSON.parse(await readFile(join(next, "package.json"), "utf8"));
    const newer = version.replace(/\d+$/, (patch: string) => String(Number(patch) + 1));
    await writeFile(join(next, "package.json"), JSON.stringify({ ...manifest, version: newer }));
    await publish(next);
    await machine.run("npm", "install", "avow@latest");
    assert.match(await machine.run("npm", "ls", "avow"), new RegExp(`avow@${newer}`));
    await using upgraded = await machine.start();
    assert.equal(await countConsents(upgraded, site), CONSENTS);
  },
);

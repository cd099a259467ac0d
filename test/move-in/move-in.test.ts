import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { type RequestListener, createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { gzipSync } from "node:zlib";
import { createClient } from "../../packages/client/client.ts";
import { createProposal } from "../../packages/cli/move-in/create.ts";
import { fetchSource } from "../../packages/move-in/fetching/fetch-source.ts";
import { openResolver } from "../../packages/server/platform/outbound/resolver.ts";
import { runAvow, toCaller } from "../command.ts";
import { service } from "../harness.ts";
import { convertSample, pathOfSample, samples } from "./samples.ts";

let folder = "";
before(async () => {
  folder = await mkdtemp(join(tmpdir(), "avow-move-in-"));
});
after(() => rm(folder, { recursive: true, force: true }));

async function openSite(listener: RequestListener): Promise<{ url: string } & AsyncDisposable> {
  const server = createServer(listener);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

async function readJson(...path: string[]): Promise<Record<string, unknown>> {
  return JSON.parse(await readFile(join(folder, ...path), "utf8")) as Record<string, unknown>;
}

describe("avow move-in", () => {
  it("writes a proposal, the mapping of answers and a report", async () => {
    const out = join(folder, "onetrust");
    const files = (samples["OneTrust"]?.files ?? []).map(pathOfSample);
    const { code, err } = await runAvow(["move-in", ...files, "--out", out]);
    assert.equal(code, 0, err);
    assert.match(err, /OneTrust: 3 categories, 4 vendors, languages en, de\./);
    assert.match(err, /It does not claim that the new banner is legally equal/);
    const { project, cookies } = await readJson("onetrust", "proposal.json");
    const expected = convertSample("OneTrust").proposal;
    assert.deepEqual(cookies, expected.cookies);
    assert.deepEqual(project, { ...expected.project });
    assert.deepEqual(await readJson("onetrust", "answers.json"), expected.answers);
    const { disclaimer, lines } = await readJson("onetrust", "report.json");
    assert.match(String(disclaimer), /not legal advice/);
    assert.ok(Array.isArray(lines) && lines.length > 10);
    const text = await readFile(join(out, "report.txt"), "utf8");
    assert.match(text, /^Decide \(\d+\)$/m);
    assert.match(text, /^ {2}- RuleSet\[2\]\.Type$/m);
  });

  it("reads the public files that a page names, and reports one that is missing", async () => {
    const id = "0196e235-6107-71c1-b858-dfe924328e45";
    const rule = "0196e25f-ef34-7084-becc-bde145924c85";
    const served = new Map([
      [
        "/",
        `<!doctype html><script src="/scripttemplates/otSDKStub.js" data-domain-script="${id}"></script>`,
      ],
      [`/consent/${id}/${id}.json`, await readFile(pathOfSample("onetrust-domain.json"), "utf8")],
      [`/consent/${id}/${rule}/de.json`, await readFile(pathOfSample("onetrust-de.json"), "utf8")],
    ]);
    await using site = await openSite((request, response) => {
      const text = served.get(request.url ?? "");
      response.writeHead(text === undefined ? 404 : 200).end(text);
    });
    const { code, err } = await runAvow(["move-in", site.url, "--out", join(folder, "live")]);
    assert.equal(code, 0, err);
    const { project } = await readJson("live", "proposal.json");
    assert.equal((project as { websiteURL: string }).websiteURL, `${site.url}/`);
    const { lines } = await readJson("live", "report.json");
    const missing = (lines as { path: string; reason: string }[]).find(({ path }) =>
      path.endsWith(`${rule}/en.json`),
    );
    assert.equal(missing?.reason, "The server answered 404.");
  });

  for (const [name, listener, reason] of [
    [
      "redirects to another private address",
      (_, response) => response.writeHead(302, { location: "http://127.0.0.2:9/" }).end(),
      /not public/,
    ],
    [
      "redirects to a file",
      (_, response) => response.writeHead(302, { location: "file:///etc/passwd" }).end(),
      /not allowed/,
    ],
    [
      "redirects without end",
      (_, response) => response.writeHead(302, { location: "/again" }).end(),
      /More than 5 redirects/,
    ],
    [
      "a file without end",
      (_, response) => {
        const block = Buffer.alloc(1024 * 1024, "x");
        const write = (): void => {
          while (!response.destroyed && response.write(block));
        };
        response.writeHead(200).on("drain", write);
        write();
      },
      /more than 8 MiB/,
    ],
    [
      "a compressed answer",
      (_, response) => response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync("{}")),
      /compressed/,
    ],
  ] satisfies [string, RequestListener, RegExp][])
    it(`rejects a server with ${name}`, async () => {
      await using site = await openSite(listener);
      const resolve = openResolver({ allowed: [], ownHost: "127.0.0.1" });
      const { signal } = new AbortController();
      await assert.rejects(fetchSource(new URL(site.url), { resolve, signal }), reason);
    });

  for (const [name, args] of [
    ["no source", []],
    ["an unknown product", ["a.json", "--product", "osano"]],
    ["an address of a site that is none", ["a.json", "--site", "ftp://a"]],
    ["creating without a token", ["a.json", "--create"]],
    ["consents without a mapping", ["consents", "a.ndjson"]],
  ] as const)
    it(`rejects ${name}`, async () => {
      const { code, err } = await runAvow(["move-in", ...args]);
      assert.equal(code, 2, err);
      assert.match(err, /See: avow move-in --help/);
    });

  it("reads a file that is not UTF-8 as Windows-1252, and says so", async () => {
    const file = join(folder, "latin.js");
    const text = `var klaroConfig = { lang: "fr", translations: { fr: { consentNotice: { description: "Réglages" } } }, services: [{ name: "a" }] };`;
    await writeFile(file, Buffer.from(text, "latin1"));
    const out = join(folder, "latin");
    const { code, err } = await runAvow(["move-in", file, "--site", "shop.example", "--out", out]);
    assert.equal(code, 0, err);
    assert.match(await readFile(join(out, "proposal.json"), "utf8"), /Réglages/);
    assert.match(await readFile(join(out, "report.txt"), "utf8"), /read as Windows-1252/);
  });

  it("reads TypeScript", async () => {
    const file = join(folder, "c15t.ts");
    await writeFile(
      file,
      `const names: string[] = ["necessary", "measurement"];
       getOrCreateConsentRuntime({ mode: "offline", consentCategories: names } satisfies object);`,
    );
    const out = join(folder, "typescript");
    const { code, err } = await runAvow(["move-in", file, "--site", "shop.example", "--out", out]);
    assert.equal(code, 0, err);
    assert.match(err, /c15t: 2 categories/);
  });
});

describe("avow move-in --create", () => {
  for (const name of Object.keys(samples))
    it(`creates the project and the banners of ${name} unchanged`, async () => {
      const { token } = await service.newUser();
      const client = createClient({ url: service.url, token });
      const { proposal } = convertSample(name, { adoptsAnswers: true });
      const { signal } = new AbortController();
      const created = await createProposal(client, proposal, { organizationId: undefined, signal });
      assert.deepEqual(created.warnings, []);
      for (const [index, { id }] of created.configurations.entries()) {
        const { body: stored } = await service.fetch(`/v1/vault/cookies/${id}`, { token });
        const proposed = proposal.cookies[index];
        assert.equal(stored.name, proposed?.name);
        assert.equal(stored.projectId, created.projectId);
        assert.deepEqual(stored.steps, proposed?.steps);
        assert.deepEqual(stored.imports, proposed?.imports);
      }
    });

  it("takes an API key, prints the identifier of the project, and publishes nothing", async () => {
    const { token } = await service.newUser();
    const json = { label: "move in", scopes: ["vault:read", "vault:write"] };
    const key = await service.fetch("/v1/auth/tokens", { token, json });
    const args = [pathOfSample("axeptio.json"), "--create", "--out", join(folder, "created")];
    const env = toCaller(service.url, key.body.token);
    const { code, out, err } = await runAvow(["move-in", ...args], { env });
    assert.equal(code, 0, err);
    assert.match(err, /Nothing is published/);
    const { body: project } = await service.fetch(`/v1/vault/projects/${out.trim()}`, { token });
    assert.equal(project.websiteURL, "https://shop.example/");
    const { status } = await service.fetch(`/cdn/${out.trim()}.json`);
    assert.equal(status, 404);
  });

  it("names the project if a banner is rejected", async () => {
    const { token } = await service.newUser();
    const client = createClient({ url: service.url, token });
    const { proposal } = convertSample("Klaro");
    const broken = { ...proposal, cookies: [{ language: "no language!" }] };
    const { signal } = new AbortController();
    await assert.rejects(
      createProposal(client, broken, { organizationId: undefined, signal }),
      /The project [0-9a-f]{24} was created, but not its configuration/,
    );
  });
});

describe("avow move-in consents", () => {
  it("converts events of Didomi into an import, whose records have the level imported", async () => {
    const { token } = await service.newUser();
    const project = await service.newProject(token);
    const { proposal } = convertSample("Didomi");
    const [banner] = proposal.cookies;
    const { body: stored } = await service.fetch("/v1/vault/cookies", {
      token,
      json: { ...banner, projectId: project.id },
    });
    const answers = join(folder, "answers.json");
    await writeFile(answers, JSON.stringify(proposal.answers));
    const events = join(folder, "events.json.gz");
    await writeFile(events, gzipSync(await readFile(pathOfSample("didomi-events.ndjson.txt"))));
    const out = join(folder, "consents.ndjson");
    const given = ["--answers", answers, "--identifier", stored.id, "--out", out];
    const { code, err } = await runAvow(["move-in", "consents", events, ...given]);
    assert.equal(code, 0, err);
    assert.match(err, /5 events read, 2 written/);
    assert.match(err, /1 left out: The event names no user\./);
    assert.match(err, /1 left out: The line is not JSON\./);
    const lines = (await readFile(out, "utf8")).trim().split("\n");
    assert.deepEqual(
      lines.map((line) => JSON.parse(line) as unknown),
      [
        {
          token: "visitor-1",
          collection: "cookies",
          identifier: stored.id,
          accept: true,
          date: "2026-06-03T21:28:55.000Z",
          preferences: { vendors: { "c-matomo-x1": true } },
        },
        {
          token: "visitor-2",
          collection: "cookies",
          identifier: stored.id,
          accept: false,
          date: "2026-06-04T09:00:00.000Z",
          preferences: { vendors: { "c-matomo-x1": false } },
        },
      ],
    );
    const env = toCaller(service.url, token);
    const dry = await runAvow(["import", project.id, out, "--dry-run"], { env });
    assert.equal(dry.code, 0, dry.err);
    assert.match(dry.err, /2 read: 2 would be imported/);
    const real = await runAvow(["import", project.id, out], { env });
    assert.equal(real.code, 0, real.err);
    const { body } = await service.fetch(`/v1/app/exports/${project.id}.ndjson`, { token });
    const grades = [...String(body).matchAll(/"grade":"(\w+)"/g)].map(([, grade]) => grade);
    assert.deepEqual(grades, ["imported", "imported"]);
  });
});

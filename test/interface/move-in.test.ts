import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import type { RequestListener } from "node:http";
import { describe, it } from "node:test";
import { convert } from "../../packages/move-in/convert.ts";
import { service } from "../harness.ts";
import { pathOfSample } from "../move-in/samples.ts";
import { openStandIn } from "../stand-ins/http.ts";

const path = "/v1/move-in/files";

async function readSite(listener: RequestListener, { at = "/" } = {}) {
  await using site = await openStandIn(listener);
  const { token } = await service.newUser();
  const answer = await service.fetch(path, { token, json: { url: site.url + at } });
  return { ...answer, url: site.url };
}

const sendText =
  (text: string | Uint8Array, status = 200): RequestListener =>
  (_request, response) =>
    void response.writeHead(status).end(text);

describe("reading the public files of another consent product", () => {
  it("returns the files that a page names, and nothing else of the page", async () => {
    const id = "0196e235-6107-71c1-b858-dfe924328e45";
    const rule = "0196e25f-ef34-7084-becc-bde145924c85";
    const domain = await readFile(pathOfSample("onetrust-domain.json"), "utf8");
    const german = await readFile(pathOfSample("onetrust-de.json"), "utf8");
    const page = `<!doctype html><html lang="de"><title>Secret title</title><p>Secret text</p><script>const secret = 1</script>
      <script src="/scripttemplates/otSDKStub.js" data-domain-script="${id}"></script>`;
    const served = new Map([
      ["/", page],
      [`/consent/${id}/${id}.json`, domain],
      [`/consent/${id}/${rule}/de.json`, german],
    ]);
    const { status, body, url } = await readSite((request, response) => {
      const text = served.get(request.url ?? "");
      response.writeHead(text === undefined ? 404 : 200).end(text);
    });
    assert.equal(status, 200, JSON.stringify(body));
    const names = body.files.map(({ name }: { name: string }) => name.replace(url, ""));
    assert.deepEqual(names, ["/", ...[...served.keys()].slice(1)]);
    assert.equal(body.files[0].text, '<!doctype html><html lang="de">');
    assert.doesNotMatch(JSON.stringify(body), /secret/i);
    assert.equal(body.files[1].text, domain);
    const missing = `${url}/consent/${id}/${rule}/en.json`;
    assert.deepEqual(body.failed[0], { name: missing, reason: "The server answered 404." });
    const { product, proposal } = convert(body.files);
    assert.equal(product.tool, "onetrust");
    assert.equal(proposal.project.websiteURL, `${url}/`);
  });

  it("returns only those scripts of a page that contain a configuration", async () => {
    const page = await readFile(pathOfSample("tarteaucitron.html.txt"), "utf8");
    const secrets = `<script>window.secret = "a"</script><!-- secret --><input value="secret">`;
    const { status, body } = await readSite(sendText(page + secrets));
    assert.equal(status, 200, JSON.stringify(body));
    assert.equal(body.files.length, 1);
    assert.match(body.files[0].text, /tarteaucitron\.init/);
    assert.doesNotMatch(body.files[0].text, /secret/);
    assert.equal(convert(body.files).product.tool, "tarteaucitron");
  });

  it("reads the address of a file, also one that is not UTF-8", async () => {
    const text = `var klaroConfig = { lang: "fr", translations: { fr: { consentNotice: { description: "Réglages" } } }, services: [{ name: "a" }] };`;
    const answer = await readSite(sendText(Buffer.from(text, "latin1")), { at: "/config.js" });
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    const [file] = answer.body.files;
    assert.equal(file.encoding, "windows-1252");
    assert.match(file.text, /Réglages/);
    const { report } = convert(answer.body.files, { site: "https://shop.example/" });
    assert.ok(report.lines.some(({ reason }) => /read as Windows-1252/.test(reason)));
  });

  const block = Buffer.alloc(1024 * 1024, "x");
  for (const [name, listener, reason] of [
    [
      "redirects to a private address",
      (_, response) => response.writeHead(302, { location: "http://10.0.0.1/" }).end(),
      /^http:\/\/\S+ cannot be fetched\. The address of 10\.0\.0\.1 is not public\.$/,
    ],
    [
      "redirects to a file",
      (_, response) => response.writeHead(302, { location: "file:///etc/passwd" }).end(),
      /redirects to an address that is not allowed/,
    ],
    [
      "answers with a file without end",
      (_, response) => {
        const write = (): void => {
          while (!response.destroyed && response.write(block));
        };
        response.writeHead(200).on("drain", write);
        write();
      },
      /more than 4 MiB/,
    ],
    ["answers 403", sendText("secret", 403), /The server answered 403\. It may reject programs/],
    ["has no consent product", sendText("<!doctype html><p>secret</p>"), /No configuration was/],
    ["serves another file", sendText('{"secret":1}'), /No configuration was recognized/],
    [
      "uses a product without a public file",
      sendText('<!doctype html><script src="https://sdk.privacy-center.org/x/loader.js"></script>'),
      /The page uses Didomi, but has no configuration that can be read\. Pass the file/,
    ],
  ] satisfies [string, RequestListener, RegExp][])
    it(`explains that nothing was read from a site that ${name}`, async () => {
      const { status, body } = await readSite(listener);
      assert.equal(status, 422, JSON.stringify(body));
      assert.match(body.detail, reason);
      assert.doesNotMatch(JSON.stringify(body), /secret/);
    });

  it("stops reading a server that does not answer", { timeout: 30_000 }, async () => {
    const { status, body } = await readSite(() => undefined);
    assert.equal(status, 422);
    assert.match(body.detail, /did not answer within 10 seconds/);
  });

  for (const address of [
    "http://10.1.2.3/",
    "http://[::1]/",
    "http://169.254.169.254/latest/meta-data/",
    "http://0x0a000001/",
  ])
    it(`contacts no private address: ${address}`, async () => {
      const { token } = await service.newUser();
      const { status, body } = await service.fetch(path, { token, json: { url: address } });
      assert.equal(status, 422, JSON.stringify(body));
      assert.match(body.detail, /is not public/);
    });

  for (const address of [
    "shop.example",
    "ftp://shop.example/",
    "https://me:pw@shop.example/",
    "http://[",
  ])
    it(`rejects ${address}`, async () => {
      const { token } = await service.newUser();
      const { status, body } = await service.fetch(path, { token, json: { url: address } });
      assert.equal(status, 400, JSON.stringify(body));
      assert.equal(body.errors[0].path, "/url");
    });

  it("reads one address at a time for a user, and ten in a minute", async () => {
    const { token } = await service.newUser();
    const { token: other } = await service.newUser();
    const { promise: reached, resolve: reach } = Promise.withResolvers<void>();
    await using silent = await openStandIn(() => reach());
    await using site = await openStandIn(sendText("{}"));
    const leaving = new AbortController();
    const first = fetch(service.url + path, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify({ url: silent.url }),
      signal: leaving.signal,
    }).catch(() => undefined);
    await reached;
    const json = { url: site.url };
    const second = await service.fetch(path, { token, json });
    assert.equal(second.status, 429, JSON.stringify(second.body));
    assert.match(second.body.detail, /Another address is being read for you/);
    assert.equal((await service.fetch(path, { token: other, json })).status, 422);
    leaving.abort();
    await first;
    const statuses: number[] = [];
    for (let n = 0; n < 12; n += 1)
      statuses.push((await service.fetch(path, { token: other, json })).status);
    assert.deepEqual(statuses, [...Array<number>(9).fill(422), 429, 429, 429]);
    const last = await service.fetch(path, { token: other, json });
    assert.match(last.body.detail, /At most 10 addresses are read in a minute/);
    assert.equal(last.headers.get("retry-after"), "60");
  });

  it("needs a user, and a key that may create projects", async () => {
    const json = { url: "http://127.0.0.1:9/" };
    assert.equal((await service.fetch(path, { json })).status, 403);
    const { token } = await service.newUser();
    const { id: projectId } = await service.newProject(token);
    const newKey = async (key: object): Promise<string> => {
      const answer = await service.fetch("/v1/auth/tokens", {
        token,
        json: { label: "k", ...key },
      });
      return answer.body.token;
    };
    const reading = await newKey({ scopes: ["vault:read"] });
    assert.equal((await service.fetch(path, { token: reading, json })).status, 403);
    const bound = await newKey({ scopes: ["vault:read", "vault:write"], projectId });
    const refused = await service.fetch(path, { token: bound, json });
    assert.equal(refused.status, 403);
    assert.match(refused.body.detail, /A key of one project/);
    const writing = await newKey({ scopes: ["vault:write"] });
    const answer = await service.fetch(path, { token: writing, json });
    assert.equal(answer.status, 422, JSON.stringify(answer.body));
  });
});

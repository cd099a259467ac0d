import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { type IncomingHttpHeaders, request as requestPlain } from "node:http";
import { connect } from "node:http2";
import { type RequestOptions, request } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { type TestContext, test } from "node:test";
import { gunzipSync } from "node:zlib";
import { openTestDatabase } from "../database.ts";
import { openAnotherService } from "../interface/another-service.ts";
import { makeProject, send as sendDirectly } from "../faults/requests.ts";
import { pollUntil } from "../interface/one-site.ts";
import {
  type ProxyServer,
  caddy,
  host,
  nginx,
  openCaddy,
  openCaddyWithDomains,
  openNginx,
  skipWithoutAny,
} from "./proxy-servers.ts";

const GUESSES = 40;
const UPLOAD_BYTES = 32 * 1024 * 1024;
const password = "correct horse";
const proxies = [
  {
    name: "nginx",
    open: openNginx,
    trusts: ["1", "127.0.0.1", "on"],
    programs: { [nginx]: "nginx-light", "/usr/bin/openssl": "openssl" },
  },
  { name: "Caddy", open: openCaddy, trusts: ["1"], programs: { [caddy]: "caddy" } },
];

interface Proxied {
  proxy: ProxyServer;
  dataDir: string;
  /** The service itself. */
  direct: string;
  lines: readonly string[];
}

/** Opens a service, and in front of it a proxy configured by a sample in deploy/. */
async function openProxied(
  context: TestContext,
  open: (options: { upstreamPort: number }) => Promise<ProxyServer>,
  trusted = "1",
): Promise<Proxied> {
  const opened = new AsyncDisposableStack();
  context.after(() => opened.disposeAsync());
  const dataDir = await mkdtemp(join(tmpdir(), "avow-proxied-"));
  opened.defer(() => rm(dataDir, { recursive: true, force: true }));
  const database = opened.use(await openTestDatabase());
  const service = opened.use(
    await openAnotherService(database.url, {
      DATA_DIR: dataDir,
      PUBLIC_URL: `https://${host}`,
      TRUST_PROXY: trusted,
    }),
  );
  const proxy = opened.use(await open({ upstreamPort: service.port }));
  return { proxy, dataDir, direct: service.url, lines: service.lines };
}

interface SendOptions {
  json?: object;
  headers?: Record<string, string>;
  method?: string;
  /** The address that the client connects from. */
  from?: string;
}

interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  /** Each header as it arrived, also repeated ones. */
  rawHeaders: string[];
  body: Buffer;
}

/** The options of a request to the proxy under the name in the sample, from an address of this machine. */
function toOptions({ port, ca }: ProxyServer, path: string, from = "127.0.0.1"): RequestOptions {
  return { host: "127.0.0.1", port, path, ca, servername: host, localAddress: from, agent: false };
}

async function send(
  proxy: ProxyServer,
  path: string,
  { json, headers = {}, method, from }: SendOptions = {},
): Promise<Answer> {
  const asked = request({
    ...toOptions(proxy, path, from),
    method: method ?? (json === undefined ? "GET" : "POST"),
    headers: { host, ...headers, ...(json && { "content-type": "application/json" }) },
  });
  asked.end(json && JSON.stringify(json));
  const [answer] = await once(asked, "response");
  return {
    status: answer.statusCode,
    headers: answer.headers,
    rawHeaders: answer.rawHeaders,
    body: await buffer(answer),
  };
}

/** Headers in which a client claims another address at each guess. */
const forgeries: Record<string, (n: number) => Record<string, string>> = {
  "X-Forwarded-For": (n) => ({ "X-Forwarded-For": `203.0.113.${n}` }),
  "X-Forwarded-For with several addresses": (n) => ({
    "X-Forwarded-For": `203.0.113.${n}, 127.0.0.1, ::ffff:127.0.0.1, ::ffff:198.51.100.${n}`,
  }),
  "all headers of proxies": (n) => ({
    "X-Forwarded-For": `2001:db8:${n}::1`,
    "X-Forwarded-Host": "evil.example",
    "X-Forwarded-Proto": "https",
    "X-Real-IP": `203.0.113.${n}`,
    "CF-Connecting-IP": `203.0.113.${n}`,
    Forwarded: `for=203.0.113.${n};host=evil.example;proto=https`,
  }),
};

/** Sends wrong passwords of one account; returns the number of each status. */
async function guess(proxy: ProxyServer, toHeaders: (n: number) => Record<string, string>) {
  const email = `${randomUUID()}@example.org`;
  const account = { email, password };
  assert.equal((await send(proxy, "/v1/auth/local/signup", { json: account })).status, 200);
  const counts: Record<string, number> = {};
  for (let n = 1; n <= GUESSES; n += 1) {
    const json = { username: email, password: `wrong ${n}` };
    const headers = toHeaders(n);
    const { status } = await send(proxy, "/v1/auth/local/signin", {
      json,
      headers,
      from: "127.0.0.9",
    });
    counts[status] = (counts[status] ?? 0) + 1;
  }
  return { counts, email };
}

for (const { name, open, trusts, programs } of proxies) {
  const skip = skipWithoutAny(programs);
  for (const trusted of trusts)
    test(
      `limits 40 wrong passwords with forged addresses behind ${name}, with TRUST_PROXY=${trusted}`,
      { skip },
      async (context) => {
        const { proxy } = await openProxied(context, open, trusted);
        for (const [forged, toHeaders] of Object.entries(forgeries)) {
          const { counts, email } = await guess(proxy, toHeaders);
          assert.deepEqual(counts, { 401: 10, 429: 30 }, forged);
          const json = { username: email, password };
          const elsewhere = await send(proxy, "/v1/auth/local/signin", {
            json,
            from: "127.0.0.10",
          });
          assert.equal(elsewhere.status, 200, "another client is not limited");
        }
      },
    );

  test(
    `links to PUBLIC_URL behind ${name}, whatever a client claims`,
    { skip },
    async (context) => {
      const { proxy } = await openProxied(context, open);
      const plain = await send(proxy, "/v1");
      const headers = forgeries["all headers of proxies"]?.(1) ?? {};
      const forged = await send(proxy, "/v1", { headers });
      assert.equal(forged.status, 200);
      assert.deepEqual(forged.body, plain.body);
      assert.match(plain.body.toString(), new RegExp(`https://${host}/`));
    },
  );

  test(`${name} redirects to https, and speaks HTTP/2`, { skip }, async (context) => {
    const { proxy } = await openProxied(context, open);
    const asked = requestPlain({
      port: proxy.httpPort,
      host: "127.0.0.1",
      path: "/admin?a=b",
      headers: { host },
    });
    asked.end();
    const [plain] = await once(asked, "response");
    plain.resume();
    assert.equal(plain.statusCode, 308);
    const location = new URL(plain.headers.location);
    assert.deepEqual(
      [location.protocol, location.hostname, location.pathname + location.search],
      ["https:", host, "/admin?a=b"],
    );
    const session = connect(`https://127.0.0.1:${proxy.port}`, { ca: proxy.ca, servername: host });
    context.after(() => session.destroy());
    const stream = session.request({ ":path": "/health/ready", ":authority": host });
    const [headers] = await once(stream, "response");
    assert.equal(headers[":status"], 200);
    assert.equal(session.alpnProtocol, "h2");
    assert.equal(headers["strict-transport-security"], "max-age=31536000");
  });

  test(
    `${name} passes each header of the service on once, and its compression`,
    { skip },
    async (context) => {
      const { proxy, direct } = await openProxied(context, open);
      const headers = { "accept-encoding": "gzip" };
      const answer = await send(proxy, "/widget.js", { headers });
      const names = answer.rawHeaders
        .filter((_, at) => at % 2 === 0)
        .map((one) => one.toLowerCase());
      const repeated = names.filter((one, at) => names.indexOf(one) !== at && one !== "vary");
      assert.deepEqual(repeated, []);
      assert.equal(answer.headers["strict-transport-security"], "max-age=31536000");
      assert.equal(answer.headers["content-encoding"], "gzip");
      const widget = await (await fetch(`${direct}/widget.js`)).text();
      assert.equal(gunzipSync(answer.body).toString(), widget);
      const json = await send(proxy, "/v1", { headers });
      assert.equal(json.headers["content-encoding"], undefined);
    },
  );

  test(
    `${name} passes an upload on while it arrives, and a rejection of it`,
    { skip },
    async (context) => {
      const { proxy, direct, dataDir } = await openProxied(context, open);
      const { token, projectId } = await makeSite(direct);
      const upload = (bearer: string) =>
        request({
          ...toOptions(proxy, `/v1/app/imports/${projectId}`),
          method: "POST",
          headers: {
            host,
            authorization: `Bearer ${bearer}`,
            "content-type": "application/x-ndjson",
            "content-length": UPLOAD_BYTES,
          },
        });
      const half = Buffer.alloc(UPLOAD_BYTES / 2, "\n");
      const accepted = upload(token);
      accepted.write(half);
      const folder = join(dataDir, "imports");
      await pollUntil("the first half of the upload", async () => {
        const [file] = await readdir(folder);
        const sizeBytes = file ? (await stat(join(folder, file))).size : 0;
        return sizeBytes > half.length - 2 * 1024 * 1024 || undefined;
      });
      accepted.end(half);
      const [answer] = await once(accepted, "response");
      const body = String(await buffer(answer));
      assert.equal(answer.statusCode, 202, body);

      const rejected = upload("none");
      rejected.on("error", () => undefined);
      rejected.write(half);
      const [refusal] = await once(rejected, "response");
      assert.equal(refusal.statusCode, 403, "not a 502 of the proxy, which is still sending");
      rejected.destroy();
    },
  );

  test(`events of a publish job arrive at once behind ${name}`, { skip }, async (context) => {
    const { proxy, direct } = await openProxied(context, open);
    const { token, projectId } = await makeSite(direct);
    const publishAt = new Date(Date.now() + 3_600_000).toISOString();
    const { id } = await sendDirectly<{ id: string }>(`${direct}/v1/publish/jobs/${projectId}`, {
      token,
      json: { publishAt },
    });
    const path = `/v1/publish/jobs/${id}`;
    const headers = { host, authorization: `Bearer ${token}`, "accept-encoding": "gzip" };
    const asked = request({
      ...toOptions(proxy, path),
      headers: { ...headers, accept: "text/event-stream" },
    });
    asked.end();
    const [answer] = await once(asked, "response");
    let received = "";
    answer.setEncoding("utf8").on("data", (text: string) => (received += text));
    const arrive = (pattern: RegExp) =>
      pollUntil(String(pattern), () => pattern.test(received) || undefined);
    await arrive(/^retry: 500\n\n$/);
    const cancelled = await send(proxy, path, { method: "DELETE", headers });
    assert.ok(cancelled.status < 300, cancelled.body.toString());
    await arrive(/event: job\ndata: .*\n\n$/);
  });
}

test(
  "limits 40 wrong passwords with forged addresses behind two nginx",
  { skip: skipWithoutAny(proxies[0]?.programs ?? {}) },
  async (context) => {
    const openTwo = async ({ upstreamPort }: { upstreamPort: number }) => {
      const inner = await openNginx({ upstreamPort, isPlain: true });
      context.after(() => inner[Symbol.asyncDispose]());
      return openNginx({ upstreamPort: inner.port });
    };
    const { proxy } = await openProxied(context, openTwo, "2");
    for (const [name, toHeaders] of Object.entries(forgeries))
      assert.deepEqual((await guess(proxy, toHeaders)).counts, { 401: 10, 429: 30 }, name);
  },
);

test("warns at the start with TRUST_PROXY=on only, and names the setting", async (context) => {
  const database = await openTestDatabase();
  context.after(() => database[Symbol.asyncDispose]());
  const readWarnings = async (trusted: string) => {
    await using service = await openAnotherService(database.url, { TRUST_PROXY: trusted });
    return service.lines.filter(
      (line) => line.includes('"level":"warn"') && line.includes("TRUST_PROXY"),
    );
  };
  const warned = await readWarnings("on");
  assert.equal(warned.length, 1);
  assert.match(warned[0] ?? "", /TRUST_PROXY=1/);
  for (const trusted of ["1", "off"]) assert.deepEqual(await readWarnings(trusted), []);
});

async function makeSite(url: string): Promise<{ token: string; projectId: string }> {
  const json = { email: `${randomUUID()}@example.org`, password };
  const { token } = await sendDirectly<{ token: string }>(`${url}/v1/auth/local/signup`, { json });
  return { token, projectId: await makeProject(url, token, "Shop") };
}

test(
  "Caddy gets certificates for the domains of organizations, and for no other host",
  { skip: skipWithoutAny({ [caddy]: "caddy" }) },
  async (context) => {
    const { proxy, direct } = await openProxied(context, openCaddyWithDomains);
    const known = "consent.agency.example";
    const { token } = await sendDirectly<{ token: string }>(`${direct}/v1/auth/local/signup`, {
      json: { email: `${randomUUID()}@example.org`, password },
    });
    const organizations = `${direct}/v1/vault/organizations`;
    const json = { name: "Agency" };
    const { id } = await sendDirectly<{ id: string }>(organizations, { token, json });
    const ask = async (name: string) => {
      const options = { ...toOptions(proxy, "/health/live"), servername: name };
      const asked = request({ ...options, headers: { host: name } });
      asked.end();
      const [answer] = await once(asked, "response");
      answer.resume();
      return answer.statusCode;
    };
    assert.equal(await ask(host), 200);
    await assert.rejects(ask(known));
    const domain = { token, method: "PUT", json: { host: known } };
    await sendDirectly(`${organizations}/${id}/domain`, domain);
    assert.equal(await ask(known), 200);
    await assert.rejects(ask("unknown.agency.example"));
  },
);

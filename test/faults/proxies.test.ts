import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { type TestContext, test } from "node:test";
import { findFreePort } from "../../packages/server/platform/ports.ts";
import { openOneSite } from "../interface/one-site.ts";
import { nginx, skipWithout, startNginx } from "./caches/processes.ts";

const skip = skipWithout(nginx, "nginx-light");
const guide = new URL("../../docs/guides/reverse-proxies.md", import.meta.url);
const GUESSES = 40;
const password = "correct horse";

interface Proxied {
  /** The address of the outermost proxy. */
  url: string;
  lines: readonly string[];
}

/** Opens a service behind `count` nginx, each configured as the guide says, except for ports and TLS. */
async function openProxied(
  context: TestContext,
  { trusted, count = 1 }: { trusted: string; count?: number },
): Promise<Proxied> {
  const opened = new AsyncDisposableStack();
  context.after(() => opened.disposeAsync());
  const site = opened.use(await openOneSite({ TRUST_PROXY: trusted }));
  const [, recipe = ""] =
    /```nginx\n(server [\s\S]*?)```/.exec(await readFile(guide, "utf8")) ?? [];
  let { url } = site;
  for (let n = 0; n < count; n += 1) {
    const port = await findFreePort("127.0.0.1");
    const folder = await mkdtemp(join(tmpdir(), "avow-proxy-"));
    opened.defer(() => rm(folder, { recursive: true, force: true }));
    const server = recipe
      .replace(/listen .*;/, `listen 127.0.0.1:${port};`)
      .replaceAll(/ssl_certificate.*;/g, "")
      .replace("http://127.0.0.1:8080", url);
    assert.match(server, /proxy_pass http:\/\/127\.0\.0\.1:/);
    opened.use(await startNginx(port, folder, server));
    url = `http://127.0.0.1:${port}`;
  }
  return { url, lines: site.lines };
}

interface RequestOptions {
  json?: object;
  headers?: Record<string, string>;
  /** The address that the client connects from. */
  from?: string;
}

/** Sends a request from an address of this machine, which `fetch` cannot choose. */
async function send(url: string, { json, headers = {}, from = "127.0.0.1" }: RequestOptions = {}) {
  const asked = request(url, {
    method: json === undefined ? "GET" : "POST",
    headers: { ...headers, ...(json && { "content-type": "application/json" }) },
    localAddress: from,
    agent: false,
  });
  const answered = new Promise<{ status: number; body: string }>((resolve, reject) => {
    asked.once("error", reject);
    asked.once("response", (answer) => {
      text(answer).then((body) => resolve({ status: answer.statusCode ?? 0, body }), reject);
    });
  });
  asked.end(json && JSON.stringify(json));
  return answered;
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
async function guess(url: string, toHeaders: (n: number) => Record<string, string>) {
  const email = `${randomUUID()}@example.org`;
  const account = { email, password };
  assert.equal((await send(`${url}/v1/auth/local/signup`, { json: account })).status, 200);
  const counts: Record<string, number> = {};
  for (let n = 1; n <= GUESSES; n += 1) {
    const json = { username: email, password: `wrong ${n}` };
    const { status } = await send(`${url}/v1/auth/local/signin`, {
      json,
      headers: toHeaders(n),
      from: "127.0.0.9",
    });
    counts[status] = (counts[status] ?? 0) + 1;
  }
  return { counts, email };
}

for (const trusted of ["1", "127.0.0.1", "on"]) {
  test(
    `limits 40 wrong passwords with forged addresses behind nginx, with TRUST_PROXY=${trusted}`,
    {
      skip,
    },
    async (context) => {
      const { url } = await openProxied(context, { trusted });
      for (const [name, toHeaders] of Object.entries(forgeries)) {
        const { counts, email } = await guess(url, toHeaders);
        assert.deepEqual(counts, { 401: 10, 429: 30 }, name);
        const json = { username: email, password };
        const elsewhere = await send(`${url}/v1/auth/local/signin`, { json, from: "127.0.0.10" });
        assert.equal(elsewhere.status, 200, "another client is not limited");
      }
    },
  );
}

test(
  "limits 40 wrong passwords with forged addresses behind two nginx",
  { skip },
  async (context) => {
    const { url } = await openProxied(context, { trusted: "2", count: 2 });
    for (const [name, toHeaders] of Object.entries(forgeries))
      assert.deepEqual((await guess(url, toHeaders)).counts, { 401: 10, 429: 30 }, name);
  },
);

test("links to PUBLIC_URL, whatever host and scheme a client claims", { skip }, async (context) => {
  const { url } = await openProxied(context, { trusted: "1" });
  const plain = await send(`${url}/v1`);
  const forged = await send(`${url}/v1`, {
    headers: forgeries["all headers of proxies"]?.(1) ?? {},
  });
  assert.equal(forged.status, 200);
  assert.equal(forged.body, plain.body);
  assert.doesNotMatch(forged.body, /evil/);
});

test(
  "warns at the start with TRUST_PROXY=on only, and names the setting",
  { skip },
  async (context) => {
    const warned = (lines: readonly string[]) =>
      lines.filter((line) => line.includes('"level":"warn"') && line.includes("TRUST_PROXY"));
    const { lines } = await openProxied(context, { trusted: "on", count: 0 });
    assert.equal(warned(lines).length, 1);
    assert.match(warned(lines)[0] ?? "", /TRUST_PROXY=1/);
    for (const trusted of ["1", "off"])
      assert.deepEqual(warned((await openProxied(context, { trusted, count: 0 })).lines), []);
  },
);

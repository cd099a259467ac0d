import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import { after, before, describe, it } from "node:test";
import type { LookupAddress } from "node:dns";
import { toNetwork, type Network } from "../../../platform/outbound/networks.ts";
import type { LookupAll } from "../../../platform/outbound/lookup.ts";
import { PostError, openPoster } from "../../../platform/outbound/post.ts";
import { readAddress } from "./address.ts";

/** Names with their DNS addresses. */
const names: Record<string, string[]> = {
  "loopback.example": ["127.0.0.1"],
  "loopback6.example": ["::1"],
  "mapped.example": ["::ffff:127.0.0.1"],
  "private.example": ["10.1.2.3"],
  "metadata.example": ["169.254.169.254"],
  "mixed.example": ["93.184.215.14", "127.0.0.1"],
  "mixed6.example": ["2606:2800:21f::1", "fd00::1"],
  "nat64.example": ["64:ff9b::7f00:1"],
  "127.0.0.1.nip.example": ["127.0.0.1"],
  "zero.example": ["0.0.0.0"],
};
const toAddresses = (list: readonly string[]): LookupAddress[] =>
  list.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));
const lookup: LookupAll = (hostname, answer) => {
  const found = names[hostname] ?? (hostname === "localhost" ? ["127.0.0.1", "::1"] : undefined);
  if (found) answer(null, toAddresses(found));
  else answer(Object.assign(new Error("unknown"), { code: "ENOTFOUND" }), []);
};

/** PORT is one that listens on the loopback address. */
const hostile = [
  // IPv4 in every spelling of the WHATWG URL standard.
  "https://127.0.0.1:PORT/",
  "https://127.1:PORT/",
  "https://127.0.1:PORT/",
  "https://2130706433:PORT/",
  "https://0x7f000001:PORT/",
  "https://0x7f.1:PORT/",
  "https://0x7f.0x0.0x0.0x1:PORT/",
  "https://0177.0.0.1:PORT/",
  "https://017700000001:PORT/",
  "https://127.0.0.1.:PORT/",
  "https://①②⑦.⓪.⓪.①:PORT/",
  "https://127。0。0。1:PORT/",
  "https://%31%32%37.0.0.1:PORT/",
  "https://0.0.0.0:PORT/",
  "https://0:PORT/",
  // Private, link-local, shared, reserved.
  "https://10.0.0.1/",
  "https://172.16.0.1/",
  "https://172.31.255.254/",
  "https://192.168.1.1/",
  "https://169.254.1.1/",
  "https://100.64.0.1/",
  "https://192.0.0.8/",
  "https://198.18.0.1/",
  "https://192.0.2.1/",
  "https://203.0.113.7/",
  "https://224.0.0.1/",
  "https://240.0.0.1/",
  "https://255.255.255.255/",
  // The metadata of clouds.
  "https://169.254.169.254/latest/meta-data/",
  "https://0xa9fea9fe/latest/meta-data/",
  "https://[::ffff:169.254.169.254]/",
  "https://[fd00:ec2::254]/latest/meta-data/",
  "https://100.100.100.200/latest/meta-data/",
  "https://168.63.129.16/metadata/",
  "https://192.0.0.192/opc/v2/instance/",
  // IPv6.
  "https://[::1]:PORT/",
  "https://[0:0:0:0:0:0:0:1]:PORT/",
  "https://[::]:PORT/",
  "https://[::ffff:127.0.0.1]:PORT/",
  "https://[::ffff:7f00:1]:PORT/",
  "https://[::127.0.0.1]:PORT/",
  "https://[64:ff9b::127.0.0.1]/",
  "https://[64:ff9b:1::7f00:1]/",
  "https://[2002:7f00:1::]/",
  "https://[2001:0:4136:e378:8000:63bf:3fff:fdd2]/",
  "https://[fe80::1]/",
  "https://[fec0::1]/",
  "https://[fc00::1]/",
  "https://[ff02::1]/",
  "https://[100::1]/",
  "https://[2001:db8::1]/",
  "https://[5f00::1]/",
  // Names that lead there.
  "https://localhost:PORT/",
  "https://LOCALHOST:PORT/",
  ...Object.keys(names).map((name) => `https://${name}:PORT/`),
];

/** Rejected for their form, whatever their address. */
const malformed = [
  "http://93.184.215.14/",
  "http://127.0.0.1:PORT/",
  "http://unknown.example/",
  "https://user:password@hooks.example/",
  "https://user@hooks.example/",
  "ftp://hooks.example/",
  "file:///etc/passwd",
  "gopher://127.0.0.1:PORT/_",
  "javascript:alert(1)",
  "data:text/plain,hi",
  "//127.0.0.1:PORT/",
  "https://",
  "https:///",
  "hooks.example",
  "https://metadata.google.internal/",
  "https://printer.local/",
  "https://intranet/",
];

describe("hostile addresses of webhooks", () => {
  let port = 0;
  let requests = 0;
  const server = createServer((_req, res) => {
    requests += 1;
    res.end();
  });
  let connections = 0;
  server.on("connection", () => {
    connections += 1;
  });
  const at = (text: string) => text.replace("PORT", String(port));
  before(async () => {
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    if (typeof address === "object" && address) ({ port } = address);
  });
  after(() => server.close());

  it("number at least 60", () => assert.ok(hostile.length >= 60));

  for (const text of hostile)
    it(`rejects ${text} at registration and at each call`, async () => {
      await assert.rejects(readAddress(at(text), { allowed: [], lookup }), {
        name: "Fault",
        kind: "invalid",
      });
      using poster = openPoster({ allowed: [], lookup });
      const { signal } = new AbortController();
      for (const scheme of ["https:", "http:"]) {
        const url = new URL(at(text).replace("https:", scheme));
        await assert.rejects(poster.post(url, { headers: {}, body: "{}", signal }), (error) => {
          assert.ok(error instanceof PostError);
          assert.equal(error.message, "its address is not of the public internet");
          return true;
        });
      }
      assert.equal(connections, 0, "no connection to the loopback address");
    });

  for (const text of malformed)
    it(`rejects ${text} at registration`, async () => {
      await assert.rejects(readAddress(at(text), { allowed: [], lookup }), {
        name: "Fault",
        kind: "invalid",
      });
    });

  it("are rejected if their name resolved elsewhere at registration (DNS rebinding)", async () => {
    let asked = 0;
    const rebinding: LookupAll = (_hostname, answer) => {
      asked += 1;
      answer(null, toAddresses([asked === 1 ? "93.184.215.14" : "127.0.0.1"]));
    };
    const url = await readAddress(at("https://rebinding.example:PORT/"), {
      allowed: [],
      lookup: rebinding,
    });
    using poster = openPoster({ allowed: [], lookup: rebinding });
    const { signal } = new AbortController();
    await assert.rejects(poster.post(url, { headers: {}, body: "{}", signal }), PostError);
    assert.equal(asked, 2);
    assert.equal(connections, 0);
  });

  it("are not followed in redirects of any status", async () => {
    const allowed = [toNetwork("127.0.0.0/8")].filter((n): n is Network => n !== undefined);
    let location = "";
    let status = 0;
    const target = createServer((_req, res) => res.writeHead(status, { location }).end());
    target.listen(0, "127.0.0.1");
    await once(target, "listening");
    const address = target.address();
    assert.ok(typeof address === "object" && address);
    try {
      using poster = openPoster({ allowed, lookup });
      const { signal } = new AbortController();
      const url = new URL(`http://127.0.0.1:${address.port}/`);
      for (const text of hostile)
        for (status of [301, 302, 303, 307, 308]) {
          location = new URL(at(text)).href.replace("https:", "http:");
          const answered = await poster.post(url, { headers: {}, body: "{}", signal });
          assert.equal(answered.status, status);
        }
      assert.equal(connections, 0);
    } finally {
      target.close();
    }
  });

  it("are reached if the operator allows their network, over http too, without following redirects", async () => {
    const allowed = [toNetwork("127.0.0.0/8")].filter((n): n is Network => n !== undefined);
    const target = createServer((req, res) => {
      if (req.url === "/away") {
        res.writeHead(302, { location: `http://127.0.0.1:${port}/` });
        res.end();
      } else res.end("here");
    }).listen(0, "127.0.0.1");
    await once(target, "listening");
    const address = target.address();
    assert.ok(typeof address === "object" && address);
    try {
      using poster = openPoster({ allowed, lookup });
      const { signal } = new AbortController();
      const post = { headers: {}, body: "{}", signal };
      const base = `http://loopback.example:${address.port}`;
      const url = await readAddress(`${base}/`, { allowed, lookup });
      assert.equal((await poster.post(url, post)).answer.toString(), "here");
      assert.equal((await poster.post(new URL(`${base}/away`), post)).status, 302);
      assert.equal(requests, 0);
      await assert.rejects(readAddress("http://private.example/", { allowed, lookup }));
      await assert.rejects(readAddress("http://mixed.example/", { allowed, lookup }));
    } finally {
      target.close();
    }
  });
});

import assert from "node:assert/strict";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { describe, it } from "node:test";
import { ScanError } from "@avow/scanner/errors";
import type { LookupAll } from "../../../packages/server/platform/outbound/lookup.ts";
import { toNetwork } from "../../../packages/server/platform/outbound/networks.ts";
import { openResolver } from "../../../packages/server/platform/outbound/resolver.ts";
import { listen, phaseOf, scan, sendPage, skip } from "./scanning.ts";

const MIB = 1_024 * 1_024;

/** The site has 127.0.0.2, which the operator allows; everything else of this machine is private. */
const allowed = ["127.0.0.2"].map(toNetwork).filter((one) => one !== undefined);
const names: Readonly<Record<string, string[]>> = {
  "site.example": ["127.0.0.2"],
  "rebound.example": ["127.0.0.1"],
  "mixed.example": ["127.0.0.2", "127.0.0.1"],
};
const lookup: LookupAll = (name, answer) =>
  answer(
    null,
    (names[name] ?? []).map((address) => ({ address, family: 4 })),
  );
const resolve = openResolver({ allowed, lookup });

describe("the network of a scan", { skip }, () => {
  it("has no way to private addresses: by address, name, redirect, WebSocket or WebRTC", async () => {
    const reached: string[] = [];
    await using secret = await listen("127.0.0.1", (request, response) => {
      reached.push(`${request.headers.host ?? ""}${request.url ?? ""}`);
      response.end("secret");
    });
    const datagrams = createSocket("udp4");
    datagrams.on("message", () => reached.push("udp"));
    datagrams.bind(0, "127.0.0.1");
    await once(datagrams, "listening");
    const { port } = secret;
    const hosts = ["127.0.0.1", "localhost", "[::1]", "[::ffff:127.0.0.1]", "0x7f000001"];
    const all = [...hosts, "rebound.example", "mixed.example"];
    await using site = await listen("127.0.0.2", (request, response) => {
      if (request.url === "/redirect")
        return void response.writeHead(302, { location: `http://127.0.0.1:${port}/r` }).end();
      return sendPage(`<!doctype html><title>Site</title>
        ${all.map((host) => `<img src="http://${host}:${port}/i"><iframe src="http://${host}:${port}/f"></iframe>`).join("")}
        <img src="/redirect"><img src="file:///etc/passwd">
        <script>
          for (const host of ${JSON.stringify(all)}) new WebSocket("ws://" + host + ":${port}/w");
          const peer = new RTCPeerConnection({ iceServers: [{ urls: "stun:127.0.0.1:${datagrams.address().port}" }] });
          peer.createDataChannel("c"); peer.createOffer().then((offer) => peer.setLocalDescription(offer));
        </script>`)(request, response);
    });
    const result = await scan({ url: `http://site.example:${site.port}/`, resolve });
    datagrams.close();
    assert.deepEqual(reached, []);
    assert.equal(phaseOf(result, "unanswered").pages[0]?.status, 200);
    for (const host of ["127.0.0.1", "localhost", "::1", "rebound.example", "mixed.example"])
      assert.ok(
        result.blockedHosts.includes(host) || host === "localhost",
        `${host} is not in ${result.blockedHosts.join()}`,
      );
  });

  it("rejects a site with a private address", async () => {
    await using secret = await listen("127.0.0.1", sendPage("<title>Secret</title>"));
    await assert.rejects(
      scan({ url: `http://127.0.0.1:${secret.port}/`, resolve }),
      (error: unknown) =>
        error instanceof ScanError &&
        /does not load: the address of \S+ is private/.test(error.message),
    );
  });

  it("lets no other program of the machine use its proxy", async () => {
    const { openProxy } = await import("../../../packages/scanner/network/proxy.ts");
    await using site = await listen("127.0.0.2", sendPage("<title>Site</title>"));
    await using proxy = await openProxy({ resolve, bytesMax: MIB, onExceeded: () => undefined });
    const { hostname, port } = new URL(proxy.server);
    const { request } = await import("node:http");
    const ask = async (headers: Record<string, string>) => {
      const sent = request({ hostname, port, path: `http://site.example:${site.port}/`, headers });
      sent.end();
      const [response] = await once(sent, "response");
      response.resume();
      return response.statusCode as number;
    };
    const key = Buffer.from(`${proxy.username}:${proxy.password}`).toString("base64");
    assert.equal(await ask({}), 407);
    assert.equal(await ask({ "proxy-authorization": "Basic c2Nhbjp3cm9uZw==" }), 407);
    assert.equal(await ask({ "proxy-authorization": `Basic ${key}` }), 200);
  });
});

describe("limits of a scan", { skip }, () => {
  it("ends at the limit of bytes", async () => {
    const chunk = Buffer.alloc(64 * 1_024);
    await using site = await listen("127.0.0.2", (request, response) => {
      if (request.url === "/")
        return sendPage(
          "<title>Site</title><script>fetch('/endless').then((all) => all.arrayBuffer())</script>",
        )(request, response);
      const send = (): void => {
        while (!response.destroyed && response.write(chunk));
      };
      response.on("drain", send);
      return send();
    });
    const result = await scan({
      url: `http://site.example:${site.port}/`,
      resolve,
      bytesMax: 5 * MIB,
    });
    assert.deepEqual(result.limits, ["bytes"]);
    assert.ok(result.bytes < 6 * MIB, String(result.bytes));
  });

  it("kills a Chromium whose page takes too much memory", async () => {
    await using site = await listen(
      "127.0.0.2",
      sendPage(`<title>Site</title><script>
        const kept = [];
        setInterval(() => kept.push(new Uint8Array(50 * 1024 * 1024).fill(1)), 20);
      </script>`),
    );
    const result = await scan({
      url: `http://site.example:${site.port}/`,
      resolve,
      memoryBytesMax: 600 * MIB,
    });
    assert.deepEqual(result.limits, ["memory"]);
  });

  it("ends at the limit of time on a page that never loads, and of pages on one that has many", async () => {
    await using silent = await listen("127.0.0.2", () => undefined);
    const startMs = performance.now();
    const result = await scan({
      url: `http://site.example:${silent.port}/`,
      resolve,
      totalSeconds: 3,
    });
    assert.deepEqual(result.limits, ["time"]);
    assert.ok(performance.now() - startMs < 20_000);
    let number = 0;
    await using many = await listen("127.0.0.2", (request, response) => {
      number += 1;
      sendPage(`<title>Page</title><a href="/p${number}">next</a>`)(request, response);
    });
    const endless = await scan({
      url: `http://site.example:${many.port}/`,
      resolve,
      pagesMax: 3,
    });
    assert.equal(phaseOf(endless, "unanswered").pages.length, 3);
    assert.deepEqual(endless.limits, ["pages"]);
  });

  it("is aborted by its caller", async () => {
    await using silent = await listen("127.0.0.2", () => undefined);
    const stopping = new AbortController();
    const scanning = scan({
      url: `http://site.example:${silent.port}/`,
      resolve,
      signal: stopping.signal,
      onProgress: () => stopping.abort(),
    });
    await assert.rejects(scanning, { name: "AbortError" });
  });
});

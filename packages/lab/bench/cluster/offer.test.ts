import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import { type RequestSource, repeat } from "../measure/requests.ts";
import { offer } from "./offer.ts";

/** A server that refuses the first request of each key, and accepts its retry. */
async function openRefusing() {
  const ids = new Map<string, string | undefined>();
  const server = createServer((request, response) => {
    const key = String(request.headers["idempotency-key"]);
    request.resume();
    if (!ids.has(key)) {
      ids.set(key, undefined);
      // A lost connection is retried like a refusal.
      if (ids.size % 2 === 0) request.socket.destroy();
      else response.writeHead(503).end("{}");
      return;
    }
    const id = ids.get(key) ?? randomUUID();
    ids.set(key, id);
    response.writeHead(201).end(JSON.stringify({ consentId: id }));
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  return {
    ids,
    address: new URL(`http://127.0.0.1:${port}`),
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function createSource(address: URL): RequestSource {
  let count = 0;
  return () => {
    count += 1;
    const headers = { "idempotency-key": `key-${count}` };
    return repeat([{ method: "POST", url: address.href, headers, json: {} }], () => "")();
  };
}

test("retries a refused consent with its key until it is accepted", async () => {
  await using server = await openRefusing();
  const { address, ids } = server;
  const until = AbortSignal.timeout(500);
  const offered = await offer({ address, next: createSource(address), rate: 100, until });
  assert.ok(offered.offered > 0);
  assert.equal(offered.accepted.length, offered.offered);
  assert.deepEqual(new Set(offered.accepted), new Set(ids.values()));
  assert.equal(offered.retries, offered.offered);
  assert.equal(offered.failures, 0);
  assert.match(offered.failure ?? "", /^503/);
  assert.ok((offered.waitsMs[0] ?? 0) >= 240, "a wait includes the retry");
});

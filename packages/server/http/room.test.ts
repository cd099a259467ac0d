import assert from "node:assert/strict";
import { tmpdir } from "node:os";
import { test } from "node:test";
import { loadConfig } from "../config/config.ts";
import { readFreeBytes } from "@avow/postgres/free-bytes";
import { unwatchedRoom, watchDiskRoom } from "../platform/disk-room.ts";
import { Fault } from "../platform/errors.ts";
import { openLog } from "../platform/log.ts";
import type { Http } from "./http.ts";
import { registerRoom } from "./room.ts";
import { createHttp } from "./server.ts";

const folder = tmpdir();
const told: unknown[][] = [];
const log = {
  warn: (...line: unknown[]) => void told.push(line),
  info: (...line: unknown[]) => void told.push(line),
};

function registerRoutes(http: Http): void {
  for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE"])
    http.route({ method, url: "/thing", handler: async () => ({}) });
  http.post("/spared", { config: { room: "spared" } }, async () => ({}));
}

test("without room writes are 503 with Retry-After, and everything else is answered", async () => {
  using room = await watchDiskRoom({ folder, reserveBytes: Number.MAX_SAFE_INTEGER, log });
  const lines: string[] = [];
  const output = { write: (line: string): void => void lines.push(line) };
  await using http = createHttp(
    loadConfig({}).config,
    openLog({ level: "info", format: "json", output }),
  );
  registerRoom(http, room);
  registerRoutes(http);
  for (const method of ["POST", "PUT", "PATCH"] as const) {
    const answer = await http.inject({ url: "/thing", method, payload: {} });
    assert.equal(answer.statusCode, 503);
    assert.equal(answer.headers["retry-after"], "5");
    assert.match(answer.json<{ detail: string }>().detail, /^The disk is nearly full/);
  }
  assert.deepEqual(lines, [], "the log is told once, not for each request");
  for (const [method, url, status] of [
    ["GET", "/thing", 200],
    ["DELETE", "/thing", 200],
    ["POST", "/spared", 200],
    ["POST", "/nowhere", 404],
  ] as const)
    assert.equal((await http.inject({ url, method })).statusCode, status, `${method} ${url}`);
});

test("with room, or where nobody watches it, writes are taken", async () => {
  using watched = await watchDiskRoom({ folder, reserveBytes: 1, log });
  for (const room of [watched, unwatchedRoom]) {
    await using http = createHttp(
      loadConfig({}).config,
      openLog({ level: "silent", format: "json" }),
    );
    registerRoom(http, room);
    registerRoutes(http);
    assert.equal((await http.inject({ url: "/thing", method: "POST" })).statusCode, 200);
  }
});

test("a job that asks is told so by the same fault, and the log the beginning once", async () => {
  told.length = 0;
  using room = await watchDiskRoom({ folder, reserveBytes: Number.MAX_SAFE_INTEGER, log });
  for (let n = 0; n < 3; n += 1) assert.throws(() => room.assertRoom(), Fault);
  assert.equal(told.length, 1);
  assert.match(String(told[0]?.[1]), /the disk is nearly full/);
  assert.ok((await readFreeBytes(folder)) > 0);
});

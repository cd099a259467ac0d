import assert from "node:assert/strict";
import { tmpdir } from "node:os";
import { test } from "node:test";
import { loadConfig } from "../config/config.ts";
import { readFreeBytes } from "@avow/postgres/free-bytes";
import { unwatchedDisk, watchDiskSpace } from "../platform/disk-space.ts";
import { Fault } from "../platform/errors.ts";
import { openLog } from "../platform/log.ts";
import type { Http } from "./http.ts";
import { registerDiskSpace } from "./disk-space.ts";
import { createHttp } from "./server.ts";

const folder = tmpdir();
const logged: unknown[][] = [];
const log = {
  warn: (...line: unknown[]) => void logged.push(line),
  info: (...line: unknown[]) => void logged.push(line),
};

function registerRoutes(http: Http): void {
  for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE"])
    http.route({ method, url: "/thing", handler: async () => ({}) });
  http.post("/exempt", { config: { diskSpace: "exempt" } }, async () => ({}));
}

test("rejects writes on a full disk with 503 and Retry-After, and answers everything else", async () => {
  using diskSpace = await watchDiskSpace({ folder, reserveBytes: Number.MAX_SAFE_INTEGER, log });
  const lines: string[] = [];
  const output = { write: (line: string): void => void lines.push(line) };
  await using http = createHttp(
    loadConfig({}).config,
    openLog({ level: "info", format: "json", output }),
  );
  registerDiskSpace(http, diskSpace);
  registerRoutes(http);
  for (const method of ["POST", "PUT", "PATCH"] as const) {
    const answer = await http.inject({ url: "/thing", method, payload: {} });
    assert.equal(answer.statusCode, 503);
    assert.equal(answer.headers["retry-after"], "5");
    assert.match(answer.json<{ detail: string }>().detail, /^The disk is nearly full/);
  }
  assert.deepEqual(lines, [], "rejected requests are not logged one by one");
  for (const [method, url, status] of [
    ["GET", "/thing", 200],
    ["DELETE", "/thing", 200],
    ["POST", "/exempt", 200],
    ["POST", "/nowhere", 404],
  ] as const)
    assert.equal((await http.inject({ url, method })).statusCode, status, `${method} ${url}`);
});

test("accepts writes with free space, and without a watched disk", async () => {
  using watched = await watchDiskSpace({ folder, reserveBytes: 1, log });
  for (const diskSpace of [watched, unwatchedDisk]) {
    await using http = createHttp(
      loadConfig({}).config,
      openLog({ level: "silent", format: "json" }),
    );
    registerDiskSpace(http, diskSpace);
    registerRoutes(http);
    assert.equal((await http.inject({ url: "/thing", method: "POST" })).statusCode, 200);
  }
});

test("throws the same error for jobs, and logs a full disk once", async () => {
  logged.length = 0;
  using diskSpace = await watchDiskSpace({ folder, reserveBytes: Number.MAX_SAFE_INTEGER, log });
  for (let n = 0; n < 3; n += 1) assert.throws(() => diskSpace.assertFree(), Fault);
  assert.equal(logged.length, 1);
  assert.match(String(logged[0]?.[1]), /disk nearly full/);
  assert.ok((await readFreeBytes(folder)) > 0);
});

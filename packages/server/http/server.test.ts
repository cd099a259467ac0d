import assert from "node:assert/strict";
import { test } from "node:test";
import { loadConfig } from "../config/config.ts";
import { Fault } from "../platform/errors.ts";
import { openLog } from "../platform/log.ts";
import { createHttp } from "./server.ts";

test("a route that logs failures logs failed requests at info and others at debug", async () => {
  for (const level of ["info", "debug"]) {
    const lines: string[] = [];
    const output = { write: (line: string): void => void lines.push(line) };
    const log = openLog({ level, format: "json", output });
    await using http = createHttp(loadConfig({}).config, log);
    http.get("/quiet/:outcome", { config: { log: "failures" } }, async (req) => {
      if (Object.values(req.params as object).includes("bad")) throw new Fault("invalid", "No.");
      return {};
    });
    http.get("/logged", async () => ({}));
    for (const url of ["/quiet/bad", "/quiet/good", "/logged", "/nowhere"])
      await http.inject({ url });
    const logged = lines.map((line) => {
      const entry = JSON.parse(line) as { level: string; req: { route: string }; reqId: string };
      assert.match(entry.reqId, /^[0-9a-f-]{36}$/);
      return `${entry.level} ${entry.req.route}`;
    });
    const quiet = level === "debug" ? ["debug /quiet/:outcome"] : [];
    assert.deepEqual(logged, ["info /quiet/:outcome", ...quiet, "info /logged", "info none"]);
  }
});

test("simple requests get the CORS headers of their route, and preflights those of the path", async () => {
  const log = openLog({ level: "silent", format: "json" });
  const config = loadConfig({ CORS_ORIGINS: "https://admin.example" }).config;
  await using http = createHttp(config, log);
  http.post("/open/:id", { config: { cors: "any" } }, async () => ({}));
  http.post("/closed", async () => ({}));
  const ask = async (url: string, origin: string | undefined, method: "POST" | "OPTIONS") => {
    const preflight =
      method === "OPTIONS"
        ? { "access-control-request-method": "POST", "access-control-request-headers": "x-a" }
        : {};
    const headers = { ...(origin === undefined ? {} : { origin }), ...preflight };
    const answer = await http.inject({ url, method, headers });
    assert.match(String(answer.headers["vary"]), /^Origin/);
    assert.equal(
      answer.headers["access-control-expose-headers"] !== undefined,
      answer.headers["access-control-allow-origin"] !== undefined,
    );
    return [answer.statusCode, answer.headers["access-control-allow-origin"]];
  };
  assert.deepEqual(await ask("/open/1", undefined, "POST"), [200, undefined]);
  assert.deepEqual(await ask("/open/1", "https://any.example", "POST"), [200, "*"]);
  assert.deepEqual(await ask("/open/1", "https://any.example", "OPTIONS"), [204, "*"]);
  const admin = "https://admin.example";
  assert.deepEqual(await ask("/closed", admin, "POST"), [200, admin]);
  assert.deepEqual(await ask("/closed", admin, "OPTIONS"), [204, admin]);
  assert.deepEqual(await ask("/closed", "https://any.example", "POST"), [200, undefined]);
  assert.deepEqual(await ask("/closed", "https://any.example", "OPTIONS"), [404, undefined]);
  assert.deepEqual(await ask("/nowhere", admin, "POST"), [404, admin]);
});

test("limits log lines of requests that fail as busy to one a second", async () => {
  const lines: string[] = [];
  const output = { write: (line: string): void => void lines.push(line) };
  await using http = createHttp(
    loadConfig({}).config,
    openLog({ level: "info", format: "json", output }),
  );
  http.get("/busy", async () => {
    throw new Fault("busy", "Too much.");
  });
  for (let n = 0; n < 5; n += 1)
    assert.equal((await http.inject({ url: "/busy" })).statusCode, 503);
  const messages = lines.map((line) => (JSON.parse(line) as { msg: string }).msg);
  assert.deepEqual(messages, ["Too much.", "request"]);
});

test("limits apply to the address that the trusted proxies name", async () => {
  const log = openLog({ level: "silent", format: "json" });
  const read = async (trusted: string, peer: string, forwarded?: string): Promise<string> => {
    await using http = createHttp(loadConfig({ TRUST_PROXY: trusted }).config, log);
    http.get("/", async (req) => req.ip);
    const headers = {
      forwarded: "for=192.0.2.99",
      "x-real-ip": "192.0.2.99",
      ...(forwarded === undefined ? {} : { "x-forwarded-for": forwarded }),
    };
    return (await http.inject({ url: "/", remoteAddress: peer, headers })).body;
  };
  const [proxy, client, forged] = ["10.0.0.1", "198.51.100.7", "203.0.113.1"];
  assert.equal(await read("off", proxy, client), proxy);
  for (const trusted of ["1", "on", "10.0.0.0/8", "uniquelocal"]) {
    assert.equal(await read(trusted, proxy), proxy, "no header");
    assert.equal(await read(trusted, proxy, client), client);
    assert.equal(await read(trusted, proxy, `${forged}, ${client}`), client);
    assert.equal(await read(trusted, `::ffff:${proxy}`, `${forged}, ${client}`), client);
    assert.equal(await read(trusted, proxy, `${forged}, ::ffff:${client}`), `::ffff:${client}`);
  }
  for (const trusted of ["2", "10.0.0.1, 10.0.0.2"])
    assert.equal(await read(trusted, proxy, `${forged}, ${client}, 10.0.0.2`), client);
  assert.equal(await read("1", proxy, `${client}, 10.0.0.2`), "10.0.0.2", "a number too low");
  assert.equal(await read("10.0.0.1", "192.0.2.5", client), "192.0.2.5", "not by the proxy");
});

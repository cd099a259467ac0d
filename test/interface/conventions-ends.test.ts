import assert from "node:assert/strict";
import { once } from "node:events";
import { type Socket, connect } from "node:net";
import { it } from "node:test";
import { openTestDatabase } from "../database.ts";
import { service } from "../harness.ts";
import { assertProblem } from "../hostile/probe.ts";
import { openAnotherService } from "./another-service.ts";

const { fetch, newUser, newProject } = service;

it("a token in `?access_token=` is never logged or put in a `Link`, and its response has `Referrer-Policy: no-referrer` and `Cache-Control: no-store`", async () => {
  await using other = await openAnotherService(service.databaseUrl);
  const { token } = await newUser();
  for (const title of ["A", "B", "C"]) await newProject(token, { title });
  const addresses = [
    `/v1/vault/projects?perPage=1&page=2&access_token=${token}`,
    `/vault/projects?access_token=${token}&access_token=${token}`,
    `/v1/client/?access_token=${token}&perPage=1`,
    `/v1/auth/me?access_token=${token}`,
    `/v1/auth/tokens?access_token=${token}&perPage=1`,
    `/v1/vault/projects/ffffffffffffffffffffffff?access_token=${token}`,
    `/v1/vault/projects?perPage=no&access_token=${token}`,
    `/nowhere?access_token=${token}`,
    `/v1/vault/%ff?access_token=${token}`,
    `/v1/vault/projects?access_token=${token.slice(0, -1)}`,
  ];
  for (const address of addresses) {
    const { headers, body } = await fetch(other.url + address);
    const response = JSON.stringify([...headers]) + JSON.stringify(body);
    assert.ok(!response.includes(token.slice(0, -1)), address);
    if (address.includes("%ff")) continue;
    assert.equal(headers.get("referrer-policy"), "no-referrer", address);
    assert.equal(headers.get("cache-control"), "no-store", address);
  }
  assert.ok((await fetch(other.url + addresses[0])).headers.get("link")?.includes("page=3"));
  assert.ok(
    other.lines.some((line) => line.includes("/v1/vault/projects")),
    "nothing was logged",
  );
  for (const line of other.lines) assert.ok(!line.includes(token.slice(0, -1)), line);
});

it("passwords, tokens in headers and bodies are never logged, at any level", async () => {
  await using other = await openAnotherService(service.databaseUrl);
  const password = "correct horse battery";
  const { email, token } = await newUser();
  await fetch(`${other.url}/v1/auth/local/signup`, { json: { email, password } });
  await fetch(`${other.url}/v1/auth/local/signin`, { json: { username: email, password } });
  await fetch(`${other.url}/v1/auth/local/signin`, {
    method: "POST",
    body: `{"password":"${password}"`,
    headers: { "content-type": "application/json" },
  });
  await fetch(`${other.url}/v1/vault/projects`, { token, json: { title: password } });
  assert.ok(other.lines.length > 3);
  for (const line of other.lines)
    assert.ok(!line.includes(password) && !line.includes(token) && !line.includes(email), line);
});

it("shutdown answers open requests, and rejects later ones as a whole with 503 and `Retry-After`", async () => {
  await using other = await openAnotherService(service.databaseUrl);
  const { token } = await newUser();
  const json = JSON.stringify({ websiteURL: "https://a.example", title: "A" });
  const head = `POST /v1/vault/projects HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: ${json.length}\r\n\r\n`;
  const open = await openConnection(other.port);
  open.socket.write(head + json.slice(0, 10));
  const late = await openConnection(other.port);
  late.socket.write("GET /v1 HTTP/1.1\r\nHost: a\r\n");
  await fetch(`${other.url}/v1`);
  const closed = other[Symbol.asyncDispose]();
  await waitForRefusal(other.port);
  late.socket.write("\r\n");
  const refused = await late.answer;
  assert.match(refused, /^HTTP\/1\.1 503 /);
  assert.match(refused, /\r\nretry-after: \d+\r\n/i);
  assert.match(refused, /\r\ncontent-type: application\/problem\+json/i);
  assert.match(refused, /"type":"\/problems\/busy"/);
  open.socket.write(json.slice(10));
  assert.match(await open.answer, /^HTTP\/1\.1 201 /);
  await closed;
});

it("/health/ready and every route with a database query return 503 with Retry-After when the database is gone; /health/live returns 200", async () => {
  const database = await openTestDatabase();
  await using other = await openAnotherService(database.url);
  assert.equal((await fetch(`${other.url}/health/ready`)).status, 200);
  await database[Symbol.asyncDispose]();
  assert.equal((await fetch(`${other.url}/health/live`)).status, 200);
  for (const path of ["/health/ready", "/v1/auth/me"]) {
    const answer = await fetch(other.url + path, { token: "any" });
    assert.equal(answer.status, 503, path);
    assert.match(answer.headers.get("retry-after") ?? "", /^\d+$/);
    assertProblem(answer);
  }
});

async function openConnection(port: number): Promise<{ socket: Socket; answer: Promise<string> }> {
  const socket = connect(port, "127.0.0.1");
  await once(socket, "connect");
  let text = "";
  socket.on("data", (chunk: Buffer) => (text += chunk.toString()));
  const answer = new Promise<string>((resolve, reject) => {
    socket.once("close", () => resolve(text));
    socket.once("error", reject);
  });
  return { socket, answer };
}

/** Waits until new connections are refused, which is the start of the shutdown. */
async function waitForRefusal(port: number): Promise<void> {
  for (const until = Date.now() + 10_000; Date.now() < until;) {
    const socket = connect(port, "127.0.0.1");
    const refused = await new Promise<boolean>((resolve) => {
      socket.once("connect", () => resolve(false));
      socket.once("error", () => resolve(true));
    });
    socket.destroy();
    if (refused) return;
  }
  assert.fail("the service still listens");
}

import assert from "node:assert/strict";
import { test } from "node:test";
import Fastify from "fastify";
import { openLog } from "./log.ts";

function openCaptured(format: "pretty" | "json") {
  const lines: string[] = [];
  const output = { write: (line: string): void => void lines.push(line) };
  return { lines, log: openLog({ level: "info", format, output }) };
}

const expected = {
  json: /"route":"\/things\/:token"/,
  pretty: /INFO {2}GET \/things\/:token 200 1\.5 ms/,
};

for (const format of ["json", "pretty"] as const) {
  test(`logs a request with its route, without query, token or headers (${format})`, async () => {
    const { lines, log } = openCaptured(format);
    await using http = Fastify({ loggerInstance: log });
    http.get("/things/:token", async () => "");
    http.setNotFoundHandler(async (_, reply) => reply.code(404).send());
    http.addHook("onResponse", async (req, reply) => {
      req.log.info({ req, res: reply, ms: 1.5 }, "request");
    });
    await http.inject({
      url: "/things/s3cret?access_token=s3cret",
      headers: { authorization: "Bearer s3cret" },
    });
    await http.inject({ url: "/nowhere/s3cret" });
    assert.match(lines.join(""), expected[format]);
    assert.doesNotMatch(lines.join(""), /s3cret/);
  });
}

test("logs a database error without values", () => {
  const { lines, log } = openCaptured("json");
  const duplicate = Object.assign(new Error("duplicate key value violates a constraint"), {
    code: "23505",
    detail: "Key (email)=(ada@example.org) already exists.",
    constraint: "logins_pkey",
    routine: "_bt_check_unique",
  });
  const malformed = Object.assign(new Error('invalid input syntax: "ada@example.org"'), {
    code: "22P02",
    routine: "string_to_uuid",
  });
  log.error({ err: duplicate }, "one");
  log.error({ err: new Error("outer", { cause: malformed }) }, "two");
  assert.doesNotMatch(lines.join(""), /ada@example/);
  assert.match(lines[0] ?? "", /logins_pkey/);
  assert.match(lines[1] ?? "", /string_to_uuid/);
});

test("logs a copy of an error as the error itself", () => {
  const { lines, log } = openCaptured("json");
  const { message, stack } = new Error("the database system is starting up");
  log.error({ err: { code: "57P03", message, stack, detail: "hidden" } }, "job queue error");
  const { err } = JSON.parse(lines[0] ?? "");
  assert.deepEqual(err, { type: "Error", message, code: "57P03", stack });
  log.error({ err: { other: "hidden" } }, "no error");
  assert.doesNotMatch(lines.join(""), /hidden/);
});

test("a readable line has the level, the message, its fields and an error's stack", () => {
  const { lines, log } = openCaptured("pretty");
  log.warn({ pid: 7, err: new Error("no") }, "message");
  assert.match(lines[0] ?? "", /^\d\d:\d\d:\d\d WARN {2}message pid=7\nError: no\n {4}at /);
});

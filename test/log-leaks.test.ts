import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { test } from "node:test";
import { promisify } from "node:util";
import { service, runLog } from "./harness.ts";
import { openLeakDetector, rememberExchange, recordStream } from "./log-leaks.ts";

const newSecret = (): string => randomBytes(32).toString("base64url");

test("finds a secret anywhere in a log, also if it was logged before it was recorded", () => {
  using own = openLeakDetector();
  const [token, code, other, unknown] = [newSecret(), newSecret(), newSecret(), newSecret()];
  own.write(`{"msg":"x","path":"/v1/auth/invitations/${token}/x"}\n`);
  for (let n = 0; n < 30_000; n += 1) own.write(`{"n":${n},"id":"${unknown}"}\n`);
  own.remember("a token", token);
  own.remember("a code", code);
  own.remember("a password", "correct horse");
  own.remember("not logged", other);
  assert.deepEqual(own.findLeaks().length, 1);
  own.write(`{"err":"avw_${code}=="}\n{"sql":"values ('correct horse')"}\n`);
  const leaks = own.findLeaks();
  assert.deepEqual(
    leaks.map((leak) => leak.split(" in the log")[0]),
    ["a token", "a code", "a password"],
  );
  for (const leak of leaks)
    for (const secret of [token, code, "correct horse"]) assert.ok(!leak.includes(secret));
});

test("finds a secret in the output of a child process, in any chunks", async () => {
  using own = openLeakDetector();
  const [printed, errors, unknown] = [newSecret(), newSecret(), newSecret()];
  own.remember("a token", printed);
  own.remember("a code", errors);
  own.remember("another", unknown);
  const pieces = (secret: string) => [`{"path":"/x/${secret.slice(0, 9)}`, `${secret.slice(9)}"}`];
  const script = `
    const write = (stream, piece) => new Promise((done) => stream.write(piece, done));
    const [out, err] = ${JSON.stringify([pieces(printed), pieces(errors)])};
    for (const at of [0, 1]) {
      await write(process.stdout, out[at]);
      await write(process.stderr, err[at]);
    }`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", script], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  for (const stream of [child.stdout, child.stderr]) recordStream(own, stream.setEncoding("utf8"));
  const [code] = await once(child, "close");
  assert.equal(code, 0);
  const found = own.findLeaks().map((leak) => leak.split(" in the log")[0]);
  assert.deepEqual(new Set(found), new Set(["a code", "a token"]));
  assert.equal(found.length, 2);
});

test("records secrets by their fields in the interfaces", () => {
  using own = openLeakDetector();
  const [bearer, token, invitation, secret, visitor] = [1, 2, 3, 4, 5].map(newSecret);
  const empty = { path: "/v1/auth/me", json: undefined, token: undefined, body: undefined };
  rememberExchange(own, { ...empty, token: bearer });
  rememberExchange(own, { ...empty, json: { password: "correct horse" }, body: { token } });
  rememberExchange(own, { ...empty, body: { invitationToken: { value: invitation } } });
  rememberExchange(own, { ...empty, path: "/v1/webhooks", body: { secret: `whsec_${secret}=` } });
  rememberExchange(own, { ...empty, path: "/v1/app/consents/x", body: { token: visitor } });
  // A token that a test makes up may be any word.
  const word = "arguments";
  rememberExchange(own, { ...empty, token: word, json: { code: word, token: word, new: word } });
  assert.equal(own.counts().secrets, 6);
  for (const one of [bearer, token, invitation, secret, visitor]) own.write(`{"x":"${one}"}\n`);
  // The log has only a part of the webhook's secret.
  assert.equal(own.findLeaks().length, 4);
});

test("a run whose services logged a secret fails, and shows the line without the secret", async () => {
  const secret = newSecret();
  const script = `
    const { runLog } = await import(${JSON.stringify(import.meta.resolve("./run-log.ts"))});
    runLog.remember("a token", "${secret}");
    runLog.write('{"path":"/x/${secret}"}\\n');`;
  const run = (text: string) =>
    promisify(execFile)(process.execPath, ["--input-type=module", "-e", text]);
  await assert.rejects(run(script), (error: { code: number; stderr: string }) => {
    assert.equal(error.code, 1);
    assert.match(error.stderr, /Secrets were logged, 1 times:\na token in the log: .*\/x\/\[…\]/);
    assert.ok(!error.stderr.includes(secret));
    return true;
  });
  const harmless = await run(script.replace("runLog.remember", "void"));
  assert.equal(harmless.stderr, "");
});

test("records the shared service's log at every level, with issued secrets", async () => {
  const before = runLog.counts();
  await service.newUser();
  const after = runLog.counts();
  assert.ok(after.bytes > before.bytes, "its requests are logged");
  assert.ok(after.secrets > before.secrets, "its token is remembered");
});

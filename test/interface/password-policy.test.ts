import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { openTestDatabase } from "../database.ts";
import { service } from "../harness.ts";
import { faultPaths, unique } from "./accounts.ts";
import { type AnotherService, openAnotherService } from "./another-service.ts";
import { tokenOf, waitForMail } from "./mails.ts";

const good = "seven green kettles sing";
const leaked = "leaked kettles sing low";
const rule = { lengthMin: 12, refused: ["short", "common", "context", "breached"] };

/** Rejected passwords of a user named Ada Byron, with the reason. */
const refusals: [given: string, message: RegExp][] = [
  ["elevenchars", /^must have at least 12 characters/],
  ["🦉🦉🦉🦉🦉🦉", /^must have at least 12 characters/],
  ["Password1234", /^is one of the most common passwords/],
  ["Ada.Byron.1815!", /^consists mostly of your names/],
  ["adabyron-AVOW-2026", /^consists mostly of your names/],
  ["127.0.0.1-avow!!", /^consists mostly of your names/],
  [leaked, /^was found in a data breach/],
];

describe("passwords under the operator's policy", () => {
  const opened = new AsyncDisposableStack();
  let strict: AnotherService;

  before(async () => {
    const folder = await mkdtemp(join(tmpdir(), "avow-policy-"));
    opened.defer(() => rm(folder, { recursive: true, force: true }));
    const file = join(folder, "pwned.txt");
    const hashes = ["hunter2", leaked].map((word) => createHash("sha1").update(word).digest("hex"));
    await writeFile(
      file,
      hashes
        .toSorted()
        .map((hash) => `${hash.toUpperCase()}:3\r\n`)
        .join(""),
    );
    const database = opened.use(await openTestDatabase());
    strict = opened.use(
      await openAnotherService(database.url, {
        PASSWORD_LENGTH_MIN: "12",
        PASSWORDS_REFUSED: "common, context",
        PASSWORDS_BREACHED: file,
        RESET_LINK_MINUTES: "10",
      }),
    );
  });
  after(() => opened.disposeAsync());

  const send = (path: string, request: object) => service.fetch(strict.url + path, request);
  const names = { displayName: "Ada Byron", firstName: "Ada", lastName: "Byron" };
  const signUp = async () => {
    const email = `ada-${unique()}@example.org`;
    const json = { email, password: good, ...names };
    const answer = await send("/v1/auth/local/signup", { json });
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    return { email, token: answer.body.token as string };
  };

  test("the policy is public, and without settings any password is accepted", async () => {
    assert.deepEqual((await send("/v1/auth/local/password-rule", {})).body, rule);
    const { body } = await service.fetch("/v1/auth/local/password-rule");
    assert.deepEqual(body, { lengthMin: 1, refused: [] });
  });

  test("a sign-up is rejected with the reason, and creates no user", async () => {
    const email = `ada.byron@${unique()}.example`;
    const paths = ["/v1/auth/local/signup", "/v1/auth/session/signup"];
    for (const path of paths)
      for (const [password, message] of refusals) {
        const headers = { origin: strict.url };
        const answer = await send(path, { json: { email, password, ...names }, headers });
        assert.equal(answer.status, 400, password);
        assert.deepEqual(faultPaths(answer), ["/password"]);
        assert.match(answer.body.errors[0].message, message, password);
      }
    const json = { email, password: good, ...names };
    assert.equal((await send("/v1/auth/local/signup", { json })).status, 200);
  });

  test("a changed password and a reset one follow the same policy", async () => {
    const { email, token } = await signUp();
    for (const [given, message] of refusals) {
      const json = { current: good, new: given, confirm: given };
      const path = "/v1/auth/local/update-password";
      const answer = await send(path, { method: "PUT", token, json });
      assert.equal(answer.status, 400, given);
      assert.equal(answer.body.errors[0].path, "/new");
      assert.match(answer.body.errors[0].message, message, given);
    }
    await send("/v1/auth/local/reset-password-token", { json: { email } });
    const link = tokenOf(await waitForMail(email, /new password/));
    for (const [given, message] of refusals) {
      const json = { token: link, password: given };
      const answer = await send("/v1/auth/local/reset-password", { json });
      assert.deepEqual([answer.status, answer.body.errors[0].path], [400, "/password"], given);
      assert.match(answer.body.errors[0].message, message, given);
    }
    const page = `/account/reset?token=${link}`;
    const shown = await send(page, {});
    assert.match(shown.body, /id="rule">Use at least 12 characters\. Do not use one/);
    const form = { token: link, password: "Ada.Byron.1815!" };
    const refused = await send("/account/reset", { form });
    assert.equal(refused.status, 400);
    assert.match(refused.body, /role="alert">This consists mostly of your names/);
    const french = { form, headers: { "accept-language": "fr" } };
    assert.match((await send("/account/reset", french)).body, /se réduit à vos noms/);
    const done = await send("/account/reset", { form: { token: link, password: `${good} low` } });
    assert.equal(done.status, 200);
  });

  test("a mailed link is valid as long as the operator configured", async (t) => {
    t.after(() => service.clock.reset());
    const { email } = await signUp();
    await send("/v1/auth/local/reset-password-token", { json: { email } });
    const mail = await waitForMail(email, /new password/);
    assert.match(mail.text ?? "", /10 minutes/);
    service.clock.advance(9 * 60_000);
    const page = `/account/reset?token=${tokenOf(mail)}`;
    assert.equal((await send(page, {})).status, 200);
    service.clock.advance(61_000);
    assert.equal((await send(page, {})).status, 404);
    const json = { token: tokenOf(mail), password: good };
    const answer = await send("/v1/auth/local/reset-password", { json });
    assert.deepEqual([answer.status, faultPaths(answer)], [400, ["/token"]]);
  });
});

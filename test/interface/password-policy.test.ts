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
const strictRule = { lengthMin: 12, refused: ["short", "common", "context", "breached"] };
const rule = { ...strictRule, screens: strictRule };
const screens = { lengthMin: 8, refused: ["short", "common"] };

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
    assert.deepEqual(body, { lengthMin: 1, refused: [], screens });
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

/** Passwords that the interface accepts and the screens reject, with the screens' reason. */
const weak: [given: string, message: RegExp, shown: RegExp][] = [
  ["7 chars", /^must have at least 8 characters/, /Please choose at least 8 characters/],
  ["password1234", /^is one of the most common/, /one of the most common passwords/],
  ["PassWord123", /^is one of the most common/, /one of the most common passwords/],
  ["Password1!", /^is one of the most common/, /one of the most common passwords/],
  ["Qwerty123!", /^is one of the most common/, /one of the most common passwords/],
  ["Summer2024!", /^is one of the most common/, /one of the most common passwords/],
  ["88888888", /^is one of the most common/, /one of the most common passwords/],
  ["abcabcabc", /^is one of the most common/, /one of the most common passwords/],
];

describe("the screens' rule for new passwords", () => {
  const own = { origin: service.url };
  const email = () => `weak-${unique()}@example.org`;
  /** Signs a browser up; returns its cookie. */
  async function newBrowser() {
    const json = { email: email(), password: good };
    const answer = await service.fetch("/v1/auth/session/signup", { json, headers: own });
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    const [cookie = ""] = (answer.headers.getSetCookie()[0] ?? "").split(";");
    return { ...json, cookie };
  }
  async function resetLink(address: string): Promise<string> {
    const json = { email: address };
    await service.fetch("/v1/auth/local/reset-password-token", { json });
    return tokenOf(await waitForMail(address, /new password/));
  }

  test("applies to the sign-up, the reset and the change of a browser's session", async () => {
    const browser = await newBrowser();
    const token = await resetLink(browser.email);
    const headers = { ...own, cookie: browser.cookie };
    for (const [given, message] of weak) {
      const signup = { json: { email: email(), password: given }, headers: own };
      const reset = { json: { token, password: given }, headers: own };
      const json = { current: good, new: given, confirm: given };
      const answers = [
        await service.fetch("/v1/auth/session/signup", signup),
        await service.fetch("/v1/auth/session/reset", reset),
        await service.fetch("/v1/auth/local/update-password", { method: "PUT", json, headers }),
      ];
      for (const [at, { status, body }] of answers.entries()) {
        assert.equal(status, 400, `${given} ${at}`);
        assert.equal(body.errors[0].path, at === 2 ? "/new" : "/password");
        assert.match(body.errors[0].message, message);
      }
    }
    const set = { json: { token, password: "eight ch" }, headers: own };
    assert.equal((await service.fetch("/v1/auth/session/reset", set)).status, 200);
  });

  test("applies to the pages of mailed links, which name the rule and the reason", async () => {
    const { email: address } = await service.newUser();
    const token = await resetLink(address);
    const page = await service.fetch(`/account/reset?token=${token}`);
    assert.match(page.body, /id="rule">Use at least 8 characters\. Do not use one of the most/);
    assert.match(page.body, /minlength="8"/);
    const owner = await service.newOwner();
    const data = { collection: "projects", id: owner.project.id };
    const invited = email();
    const asked = { token: owner.token, json: { email: invited, data } };
    const { body } = await service.fetch("/v1/auth/invitations", asked);
    const invitation = { token: body.invitationToken.value, email: invited, do: "signup" };
    for (const [given, , shown] of weak) {
      const reset = { form: { token, password: given } };
      const joining = { form: { ...invitation, password: given } };
      for (const answer of [
        await service.fetch("/account/reset", reset),
        await service.fetch("/account/invitation", joining),
      ]) {
        assert.equal(answer.status, 400, given);
        assert.match(answer.body, shown);
      }
    }
    const joined = { form: { ...invitation, password: good } };
    assert.equal((await service.fetch("/account/invitation", joined)).status, 200);
  });

  test("does not apply to clients of the interface, unless the operator says so", async () => {
    for (const [given] of weak) {
      const address = email();
      const json = { email: address, password: given };
      const { status, body } = await service.fetch("/v1/auth/local/signup", { json });
      assert.equal(status, 200, given);
      const change = { current: given, new: "1", confirm: "1" };
      const put = { method: "PUT", token: body.token, json: change };
      assert.equal((await service.fetch("/v1/auth/local/update-password", put)).status, 200);
      const reset = { json: { token: await resetLink(address), password: given } };
      assert.equal((await service.fetch("/v1/auth/local/reset-password", reset)).status, 200);
    }
    await using database = await openTestDatabase();
    await using everywhere = await openAnotherService(database.url, {
      PASSWORD_RULE: "everywhere",
    });
    const shown = await service.fetch(`${everywhere.url}/v1/auth/local/password-rule`);
    assert.deepEqual(shown.body, { ...screens, screens });
    for (const [given, message] of weak) {
      const json = { email: email(), password: given };
      const answer = await service.fetch(`${everywhere.url}/v1/auth/local/signup`, { json });
      assert.deepEqual([answer.status, faultPaths(answer)], [400, ["/password"]], given);
      assert.match(answer.body.errors[0].message, message);
    }
  });
});

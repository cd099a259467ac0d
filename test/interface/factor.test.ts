import assert from "node:assert/strict";
import { afterEach, describe, it } from "node:test";
import { type TestAnswer, operatorToken, service } from "../harness.ts";
import { eventsOf, getMe, password, signIn, signinPath } from "./accounts.ts";
import { addFactor, codeOf, wrongCodeOf } from "./factors.ts";
import { linkOf, tokenOf, waitForMail } from "./mails.ts";

const MINUTE_MS = 60_000;
const send = service.fetch;
const signInWith = (username: string, code: string, given = password): Promise<TestAnswer> =>
  send(signinPath, { json: { username, password: given, code } });
const kindOf = ({ status, body }: TestAnswer): string => `${status} ${body.type ?? ""}`;
const needed = "401 /problems/code-needed";
const wrong = "401 /problems/wrong-code";

afterEach(() => service.clock.reset());

describe("a second factor", () => {
  it("is set up, confirmed by a code, and required after the password from then on", async () => {
    const user = await service.newUser();
    assert.equal((await getMe(user.token)).body.secondFactor, null);
    const begun = await send("/v1/auth/factor", { method: "POST", token: user.token });
    assert.equal(begun.headers.get("cache-control"), "no-store");
    const uri = new URL(begun.body.uri);
    assert.equal(uri.protocol, "otpauth:");
    assert.equal(uri.searchParams.get("secret"), begun.body.secret);
    assert.match(decodeURIComponent(uri.pathname), new RegExp(user.email));
    assert.equal((await signIn(user.email)).status, 200, "it is not on yet");
    const confirm = (code: string) =>
      send("/v1/auth/factor/confirm", { token: user.token, json: { code } });
    assert.equal((await confirm(wrongCodeOf(begun.body.secret))).status, 400);
    const on = await confirm(codeOf(begun.body.secret));
    assert.equal(on.status, 200);
    assert.equal(on.headers.get("cache-control"), "no-store");
    assert.equal(new Set(on.body.recoveryCodes).size, 10);
    const { secondFactor } = (await getMe(user.token)).body;
    assert.equal(secondFactor.recoveryCodesLeft, 10);
    assert.equal(kindOf(await signIn(user.email)), needed);
    assert.equal(kindOf(await signIn(user.email, "wrong")), "401 /problems/wrong-credentials");
    const guess = await signInWith(user.email, wrongCodeOf(begun.body.secret), "wrong");
    assert.equal(kindOf(guess), "401 /problems/wrong-credentials", "a code alone reveals nothing");
    await waitForMail(user.email, /^A second factor was added$/);
    assert.ok((await eventsOf(user.id)).includes("factor.added"));
  });

  it("accepts each code once, for its 30 seconds and the 30 after them", async () => {
    const user = await service.newUser();
    const { secret } = await addFactor(user.token);
    assert.equal(kindOf(await signInWith(user.email, codeOf(secret))), wrong, "confirmed with it");
    service.clock.advance(MINUTE_MS);
    const late = codeOf(secret, -30_000);
    assert.equal((await signInWith(user.email, late)).status, 200);
    assert.equal(kindOf(await signInWith(user.email, late)), wrong);
    const present = codeOf(secret);
    assert.equal((await signInWith(user.email, present)).status, 200);
    assert.equal(kindOf(await signInWith(user.email, late)), wrong, "a later one was used");
    service.clock.advance(10 * MINUTE_MS);
    assert.equal(kindOf(await signInWith(user.email, codeOf(secret, -MINUTE_MS))), wrong);
    assert.equal(kindOf(await signInWith(user.email, codeOf(secret, 30_000))), wrong, "not yet");
    const spaced = codeOf(secret).replace(/^.../, "$& ");
    assert.equal(
      (await signInWith(user.email, spaced)).status,
      200,
      "in the format that apps show",
    );
  });

  it("signs in one of two concurrent requests with one code", async () => {
    const user = await service.newUser();
    const { nextCode } = await addFactor(user.token);
    const code = nextCode();
    const both = await Promise.all([signInWith(user.email, code), signInWith(user.email, code)]);
    assert.deepEqual(both.map(kindOf).toSorted(), ["200 ", wrong].toSorted());
  });

  it("accepts ten wrong codes in an hour from all addresses together, also with the right password", async () => {
    const user = await service.newUser();
    const { secret, nextCode } = await addFactor(user.token);
    const bad = wrongCodeOf(secret);
    for (let n = 0; n < 10; n += 1) {
      assert.equal(kindOf(await signInWith(user.email, bad)), wrong);
      // A right password without a code does not reset the count.
      if (n < 9) assert.equal(kindOf(await signIn(user.email)), needed);
    }
    const refused = await signInWith(user.email, nextCode());
    assert.equal(refused.status, 429, "a right code is indistinguishable");
    assert.ok(Number(refused.headers.get("retry-after")) > 0);
    service.clock.advance(20 * MINUTE_MS);
    assert.equal((await signInWith(user.email, nextCode())).status, 429, "of the hour");
    service.clock.advance(45 * MINUTE_MS);
    assert.equal((await signInWith(user.email, nextCode())).status, 200);
  });

  it("has recovery codes that work once each, in any spelling, and each use is mailed", async () => {
    const user = await service.newUser();
    const { recoveryCodes } = await addFactor(user.token);
    const [first = "", second = ""] = recoveryCodes;
    assert.match(first, /^([0-9a-hjkmnp-tv-z]{4}-){5}[0-9a-hjkmnp-tv-z]{4}$/);
    const typed = second.toUpperCase().replaceAll("-", " ").replaceAll("0", "O");
    for (const code of [first, typed]) {
      assert.equal((await signInWith(user.email, code)).status, 200);
      assert.equal(kindOf(await signInWith(user.email, code)), wrong);
    }
    assert.equal((await getMe(user.token)).body.secondFactor.recoveryCodesLeft, 8);
    const mail = await waitForMail(user.email, /recovery code was used/);
    assert.match(mail.text ?? "", /\d are left/);
    assert.ok((await eventsOf(user.id)).includes("factor.recovery-code-used"));
    const made = await send("/v1/auth/factor/recovery-codes", {
      method: "POST",
      token: user.token,
    });
    assert.equal(made.body.recoveryCodes.length, 10);
    assert.equal(kindOf(await signInWith(user.email, recoveryCodes[2] ?? "")), wrong);
    assert.equal((await signInWith(user.email, made.body.recoveryCodes[0])).status, 200);
    await waitForMail(user.email, /New recovery codes/);
  });

  it("is stored encrypted, and its recovery codes as hashes", async () => {
    const user = await service.newUser();
    const { secret, recoveryCodes } = await addFactor(user.token);
    const rows = await service.db
      .selectFrom("factors")
      .innerJoin("recovery_codes", "recovery_codes.user_id", "factors.user_id")
      .selectAll()
      .where("factors.user_id", "=", user.id)
      .execute();
    assert.equal(rows.length, 10);
    const kept = rows.map((row) => `${row.secret} ${row.hash.toString("latin1")}`).join(" ");
    for (const one of [
      secret,
      ...recoveryCodes,
      ...recoveryCodes.map((c) => c.replaceAll("-", "")),
    ])
      assert.ok(!kept.includes(one));
  });

  it("cannot be set up twice, and setup must be confirmed within an hour", async () => {
    const user = await service.newUser();
    const token = user.token;
    const begin = () => send("/v1/auth/factor", { method: "POST", token });
    const confirm = (code: string) => send("/v1/auth/factor/confirm", { token, json: { code } });
    assert.equal((await confirm("123456")).status, 409);
    const first = (await begin()).body.secret;
    const { secret } = (await begin()).body;
    assert.equal((await confirm(codeOf(first))).status, 400, "another one replaced it");
    service.clock.advance(61 * MINUTE_MS);
    await send("/v1/auth/confirm", { token, json: { password } });
    assert.equal((await confirm(codeOf(secret))).status, 409);
    await addFactor(token);
    assert.equal((await begin()).status, 409);
    assert.equal((await confirm("123456")).status, 409);
  });

  it("is removed by its user, with a mail; then a password is enough", async () => {
    const user = await service.newUser();
    const { nextCode, recoveryCodes } = await addFactor(user.token);
    const remove = () => send("/v1/auth/factor", { method: "DELETE", token: user.token });
    assert.equal((await remove()).status, 204);
    assert.equal((await remove()).status, 404);
    assert.equal((await signIn(user.email)).status, 200);
    assert.equal((await signInWith(user.email, nextCode())).status, 200, "the code is ignored");
    assert.ok((await eventsOf(user.id)).includes("factor.removed"));
    await waitForMail(user.email, /^Your second factor was removed$/);
    await addFactor(user.token);
    assert.equal(kindOf(await signInWith(user.email, recoveryCodes[0] ?? "")), wrong, "of before");
  });

  it("is removed by the operator for a user who lost it, and by nobody else", async () => {
    const user = await service.newUser();
    await addFactor(user.token);
    const at = `/v1/auth/users/${user.id}/factor`;
    const remove = (token: string) => send(at, { method: "DELETE", token });
    assert.equal((await remove(user.token)).status, 403);
    assert.equal((await remove(operatorToken)).status, 204);
    assert.equal((await remove(operatorToken)).status, 204, "there is none");
    const nobody = `/v1/auth/users/${"f".repeat(24)}/factor`;
    assert.equal((await send(nobody, { method: "DELETE", token: operatorToken })).status, 404);
    assert.equal((await signIn(user.email)).status, 200);
    const mail = await waitForMail(user.email, /second factor was removed/);
    assert.match(mail.text ?? "", /The operator of the service/);
    assert.equal((await getMe(user.token)).status, 200, "sessions stay open");
  });

  it("is not for API keys, which need none", async () => {
    const user = await service.newUser();
    const json = { label: "machine", scopes: ["vault:read"] };
    const key = (await send("/v1/auth/tokens", { token: user.token, json })).body.token;
    await addFactor(user.token);
    assert.equal((await send("/v1/vault/projects", { token: key })).status, 200);
    for (const path of ["/v1/auth/factor", "/v1/auth/confirm", "/v1/auth/factor/recovery-codes"])
      assert.equal((await send(path, { method: "POST", token: key })).status, 403);
  });
});

describe("a password reset", () => {
  const askReset = async (email: string): Promise<string> => {
    await send("/v1/auth/local/reset-password-token", { json: { email } });
    return tokenOf(await waitForMail(email, /Choose a new password/));
  };

  it("keeps the second factor, and requires a code of it", async () => {
    const user = await service.newUser();
    const { nextCode, secret } = await addFactor(user.token);
    const token = await askReset(user.email);
    const reset = (more: object) =>
      send("/v1/auth/local/reset-password", { json: { token, password: "another", ...more } });
    assert.equal(kindOf(await reset({})), needed);
    assert.equal(kindOf(await reset({ code: wrongCodeOf(secret) })), wrong);
    assert.equal((await getMe(user.token)).status, 200, "nothing was revoked");
    assert.equal((await reset({ code: nextCode() })).status, 200);
    assert.equal(kindOf(await signIn(user.email, "another")), needed);
    assert.equal((await signInWith(user.email, nextCode(), "another")).status, 200);
  });

  it("accepts a recovery code, also on the page behind the link", async () => {
    const user = await service.newUser();
    const { recoveryCodes } = await addFactor(user.token);
    const token = await askReset(user.email);
    const { pathname, search } = linkOf(await waitForMail(user.email, /Choose a new password/));
    const page = await send(pathname + search);
    assert.match(page.body, /name="code"[^>]*autocomplete="one-time-code"/);
    const form = { token, password: "another one" };
    const refused = await send("/account/reset", { form });
    assert.equal(refused.status, 401);
    assert.match(refused.body, /role="alert"/);
    const set = await send("/account/reset", { form: { ...form, code: recoveryCodes[0] ?? "" } });
    assert.equal(set.status, 200, set.body);
    assert.equal(kindOf(await signIn(user.email, "another one")), needed);
  });
});

describe("accepting an invitation on its page", () => {
  it("accepts the code of a user with a second factor", async () => {
    const owner = await service.newOwner();
    const user = await service.newUser();
    const { nextCode } = await addFactor(user.token);
    const data = { collection: "projects", id: owner.project.id };
    const json = { email: user.email, role: "editor", data };
    const { body } = await send("/v1/auth/invitations", { token: owner.token, json });
    const form = { token: body.invitationToken.value, email: user.email, password, do: "signin" };
    const refused = await send("/account/invitation", { form });
    assert.equal(refused.status, 401);
    assert.match(refused.body, /name="code"/);
    assert.doesNotMatch(refused.body, /value="signup"/);
    const done = await send("/account/invitation", { form: { ...form, code: nextCode() } });
    assert.equal(done.status, 200, done.body);
    const seen = await send(`/v1/vault/projects/${owner.project.id}`, { token: user.token });
    assert.equal(seen.status, 200);
  });
});

import assert from "node:assert/strict";
import { after, afterEach, before, describe, it } from "node:test";
import { type TestAnswer, type TestRequest, service } from "../harness.ts";
import { newIdentity } from "../hostile/tokens.ts";
import { eventsOf, getMe, password, signIn, unique } from "./accounts.ts";
import { addFactor, wrongCodeOf } from "./factors.ts";
import { Browser, type TestProvider, codeOf, openTestProvider } from "./provider.ts";
import { type Signing, openSigning } from "./signing.ts";

const MINUTE_MS = 60_000;
const send = service.fetch;
const kindOf = ({ status, body }: TestAnswer): string => `${status} ${body.type ?? ""}`;
const needed = "403 /problems/confirmation-needed";
const confirm = (token: string, json: object): Promise<TestAnswer> =>
  send("/v1/auth/confirm", { token, json });

afterEach(() => service.clock.reset());

/** Requests that change the sign-in of an account, valid except for the session's age. */
async function sensitive(userId: string): Promise<[string, TestRequest][]> {
  const key = { label: "machine", scopes: ["vault:read"] };
  return [
    ["/v1/auth/tokens", { json: key }],
    ["/v1/auth/factor", { method: "POST" }],
    ["/v1/auth/factor/confirm", { json: { code: "123456" } }],
    ["/v1/auth/factor/recovery-codes", { method: "POST" }],
    ["/v1/auth/factor", { method: "DELETE" }],
    [`/v1/auth/identities/${await newIdentity(userId)}`, { method: "DELETE" }],
  ];
}

describe("a session of more than 15 minutes", () => {
  it("cannot change how its account signs in until its user authenticates again", async () => {
    const user = await service.newUser();
    const { token } = user;
    const requests = await sensitive(user.id);
    service.clock.advance(15 * MINUTE_MS + 1_000);
    const events = await eventsOf(user.id);
    for (const [path, request] of requests)
      assert.equal(kindOf(await send(path, { token, ...request })), needed, path);
    assert.equal(kindOf(await confirm(token, {})), needed);
    assert.deepEqual(await eventsOf(user.id), events);
    assert.equal((await getMe(token)).status, 200, "everything else works");
    const confirmed = await confirm(token, { password });
    assert.equal(confirmed.status, 200);
    const until = new Date(confirmed.body.confirmedUntil).getTime();
    const left = until - service.clock.now().getTime();
    assert.ok(left > 14 * MINUTE_MS && left <= 15 * MINUTE_MS, `${left} ms`);
    for (const [path, request] of requests)
      assert.notEqual((await send(path, { token, ...request })).status, 403, path);
    assert.ok((await eventsOf(user.id)).includes("session.confirmed"));
    service.clock.advance(15 * MINUTE_MS);
    assert.equal(kindOf(await confirm(token, {})), needed, "and again later");
    const renewed = (await signIn(user.email)).body.token;
    assert.equal((await confirm(renewed, {})).status, 200, "a sign-in is recent");
    assert.equal(kindOf(await confirm(token, {})), needed, "of that session only");
  });

  it("revokes sessions and keys as before: the interface requires only a token there", async () => {
    const user = await service.newUser();
    await signIn(user.email);
    service.clock.advance(60 * MINUTE_MS);
    const at = "/v1/auth/tokens?except=current";
    assert.equal((await send(at, { method: "DELETE", token: user.token })).status, 204);
  });

  it("is also too old when its user added a second factor in another session since", async () => {
    const user = await service.newUser();
    const other = (await signIn(user.email)).body.token;
    const { nextCode } = await addFactor(user.token);
    const remove = { method: "DELETE", token: other };
    assert.equal(kindOf(await send("/v1/auth/factor", remove)), needed);
    assert.equal((await confirm(other, { code: nextCode() })).status, 200);
    assert.equal((await send("/v1/auth/factor", remove)).status, 204);
  });

  it("is not renewed by a wrong password, which counts as a failed sign-in", async () => {
    const user = await service.newUser();
    service.clock.advance(16 * MINUTE_MS);
    for (let n = 0; n < 10; n += 1) {
      const refused = await confirm(user.token, { password: "wrong" });
      assert.equal(refused.status, 400);
      assert.deepEqual(refused.body.errors, [
        { path: "/password", message: "is not your password" },
      ]);
    }
    assert.equal((await confirm(user.token, { password })).status, 429);
    assert.equal((await signIn(user.email)).status, 429);
  });

  it("is renewed by a code for a user with a second factor, not by a password, which may be stolen", async () => {
    const user = await service.newUser();
    const { nextCode, secret, recoveryCodes } = await addFactor(user.token);
    service.clock.advance(16 * MINUTE_MS);
    const pathOf = (answer: TestAnswer): string => `${answer.status} ${answer.body.errors[0].path}`;
    assert.equal(pathOf(await confirm(user.token, { password })), "400 /code");
    assert.equal(pathOf(await confirm(user.token, { code: wrongCodeOf(secret) })), "400 /code");
    const code = nextCode();
    assert.equal((await confirm(user.token, { code })).status, 200);
    assert.equal(pathOf(await confirm(user.token, { code })), "400 /code", "it works once");
    service.clock.advance(16 * MINUTE_MS);
    const [recovery = ""] = recoveryCodes;
    assert.equal((await confirm(user.token, { code: recovery })).status, 200);
    assert.equal((await getMe(user.token)).body.secondFactor.recoveryCodesLeft, 9);
    const plain = await service.newUser();
    assert.equal(pathOf(await confirm(plain.token, { code: "123456" })), "400 /password");
  });
});

describe("a new password", () => {
  const change = (token: string, more: object = {}, current = password): Promise<TestAnswer> =>
    send("/v1/auth/local/update-password", {
      method: "PUT",
      token,
      json: { current, new: "another", confirm: "another", ...more },
    });

  it("requires only the current one of a user without a second factor, however old the session", async () => {
    const user = await service.newUser();
    service.clock.advance(60 * MINUTE_MS);
    assert.equal((await change(user.token, { code: "123456" })).status, 200, "a code is ignored");
    assert.equal((await signIn(user.email, "another")).status, 200);
  });

  it("requires the second factor too: a thief of a session and the password gets no further than at sign-in", async () => {
    const user = await service.newUser();
    const other = (await signIn(user.email)).body.token;
    const { secret, nextCode } = await addFactor(user.token);
    assert.equal(kindOf(await change(other)), needed, "it never used the factor");
    service.clock.advance(16 * MINUTE_MS);
    assert.equal(kindOf(await change(user.token)), needed);
    assert.equal(kindOf(await change(user.token, {}, "wrong")), needed, "guesses reveal nothing");
    const wrong = await change(user.token, { code: wrongCodeOf(secret) });
    assert.deepEqual([wrong.status, wrong.body.errors[0].path], [400, "/code"]);
    const guess = await change(user.token, { code: nextCode() }, "wrong");
    assert.deepEqual([guess.status, guess.body.errors[0].path], [400, "/current"]);
    assert.equal((await getMe(other)).status, 200, "nothing was revoked");
    const code = nextCode();
    assert.equal((await change(user.token, { code })).status, 200);
    assert.equal((await getMe(other)).status, 403);
    assert.equal(kindOf(await signIn(user.email, "another")), "401 /problems/code-needed");
  });

  it("is accepted from a session that recently confirmed the second factor", async () => {
    const user = await service.newUser();
    const { nextCode } = await addFactor(user.token);
    service.clock.advance(16 * MINUTE_MS);
    assert.equal((await confirm(user.token, { code: nextCode() })).status, 200);
    assert.equal((await change(user.token)).status, 200);
  });
});

describe("signing in elsewhere", () => {
  let issuer: TestProvider;
  let avow: Signing;
  before(async () => {
    issuer = await openTestProvider();
    const company = { issuer: issuer.issuer, title: "The company", clientId: "avow" };
    avow = await openSigning({ company: { ...company, clientSecret: "s3cret" } });
  });
  after(async () => {
    await avow[Symbol.asyncDispose]();
    await issuer[Symbol.asyncDispose]();
  });
  const exchange = (json: object, token?: string): Promise<TestAnswer> =>
    avow.fetch("/v1/auth/exchange", { json, ...(token === undefined ? {} : { token }) });
  const become = (): void => {
    const sub = unique();
    issuer.become({ sub, email: `${sub}@example.org`, email_verified: true, name: "Ada" });
  };
  const arrive = async (token?: string): Promise<string> =>
    codeOf(await new Browser(avow.url).signIn("company", token === undefined ? {} : { token }));

  it("requires a code of a user with a second factor before the one-time code is used up, for five minutes", async () => {
    become();
    const { token } = (await exchange({ code: await arrive() })).body;
    const { nextCode, secret } = await addFactor(token, (path, request) =>
      avow.fetch(path, request),
    );
    const code = await arrive();
    assert.equal(kindOf(await exchange({ code })), "401 /problems/code-needed");
    const bad = await exchange({ code, factorCode: wrongCodeOf(secret) });
    assert.equal(kindOf(bad), "401 /problems/wrong-code");
    service.clock.advance(4 * MINUTE_MS);
    const factorCode = nextCode();
    const entered = await exchange({ code, factorCode });
    assert.equal(entered.status, 200, JSON.stringify(entered.body));
    assert.equal((await exchange({ code, factorCode: nextCode() })).status, 400, "it works once");
    const late = await arrive();
    service.clock.advance(6 * MINUTE_MS);
    assert.equal((await exchange({ code: late, factorCode: nextCode() })).status, 400);
  });

  it("adds a way of signing in from a recent session only, and does not renew the session", async () => {
    become();
    const user = await avow.newUser();
    const waysOf = async (token: string): Promise<number> =>
      (await avow.getMe(token)).body.signInMethods.length;
    service.clock.advance(16 * MINUTE_MS);
    const code = await arrive(user.token);
    assert.equal(kindOf(await exchange({ code }, user.token)), needed);
    assert.equal(await waysOf(user.token), 1);
    const json = { password };
    const confirmed = await avow.fetch("/v1/auth/confirm", { token: user.token, json });
    assert.equal(confirmed.status, 200);
    service.clock.advance(14 * MINUTE_MS);
    const { body } = await exchange({ code: await arrive(user.token) }, user.token);
    assert.equal(await waysOf(body.token), 2);
    service.clock.advance(2 * MINUTE_MS);
    const empty = await avow.fetch("/v1/auth/confirm", { token: body.token, json: {} });
    assert.equal(kindOf(empty), needed, "the new session is as old as its origin");
  });

  it("requires a new sign-in of a user with neither a password nor a second factor, and says so", async () => {
    become();
    const { token } = (await exchange({ code: await arrive() })).body;
    service.clock.advance(16 * MINUTE_MS);
    const refused = await avow.fetch("/v1/auth/factor", { method: "POST", token });
    assert.equal(kindOf(refused), needed);
    const guess = await avow.fetch("/v1/auth/confirm", { token, json: { password: "" } });
    assert.equal(guess.status, 400);
    // Returning from the provider in a signed-in browser renews the session, and adds nothing.
    const renewed = (await exchange({ code: await arrive(token) }, token)).body.token;
    const begun = await avow.fetch("/v1/auth/factor", { method: "POST", token: renewed });
    assert.equal(begun.status, 201);
  });
});

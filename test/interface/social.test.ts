import assert from "node:assert/strict";
import { generateKeyPairSync, verify } from "node:crypto";
import { after, test } from "node:test";
import { type TestAnswer, service, runLog } from "../harness.ts";
import { faultPaths, unique } from "./accounts.ts";
import { Browser, codeOf, openTestProvider } from "./provider.ts";
import { openSigning } from "./signing.ts";

const issuer = await openTestProvider();
after(() => issuer[Symbol.asyncDispose]());
const client = { clientId: "avow", clientSecret: "s3cret-of-the-client" };
const avow = await openSigning({
  company: { issuer: issuer.issuer, title: "The company", ...client },
  other: { issuer: issuer.issuer, ...client },
  apple: { issuer: issuer.issuer, ...client },
});
after(() => avow[Symbol.asyncDispose]());

const newPerson = (more: object = {}) => {
  const id = unique();
  return { sub: id, email: `p-${id}@example.org`, email_verified: true, name: "Ada", ...more };
};
const exchange = (code: string, token?: string): Promise<TestAnswer> =>
  avow.fetch("/v1/auth/exchange", {
    json: { code },
    ...(token === undefined ? {} : { token }),
  });

async function signInAs(person: ReturnType<typeof newPerson>): Promise<string> {
  issuer.become(person);
  const { status, body } = await exchange(codeOf(await new Browser(avow.url).signIn("company")));
  assert.equal(status, 200, JSON.stringify(body));
  return body.token;
}

test("GET providers lists the configured ones, without their secrets", async () => {
  const { status, body } = await avow.fetch("/v1/auth/providers");
  assert.equal(status, 200);
  assert.deepEqual(
    body.map(({ name, title }: { name: string; title: string }) => [name, title]),
    [
      ["company", "The company"],
      ["other", "other"],
      ["apple", "Apple"],
    ],
  );
  assert.equal(body[0].links.signin, `${avow.url}/v1/auth/company`);
  assert.ok(!JSON.stringify(body).includes(client.clientSecret));
});

test("a new person gets an account, and the same one the next time; the token is never in a URL", async () => {
  const person = newPerson();
  issuer.become(person);
  const browser = new Browser(avow.url);
  const back = await browser.signIn("company", { redirectURI: "https://admin.example/in?tab=1" });
  const location = new URL(back.headers.get("location") ?? "");
  assert.equal(location.origin + location.pathname, "https://admin.example/in");
  assert.deepEqual([...location.searchParams.keys()], ["tab", "code"]);
  const { body } = await exchange(location.searchParams.get("code") ?? "");
  const { body: me } = await avow.getMe(body.token);
  assert.deepEqual([me.email, me.displayName, me.emailConfirmed], [person.email, "Ada", true]);
  assert.deepEqual(me.identities, { company: { subject: person.sub, email: person.email } });
  assert.equal((await avow.getMe(await signInAs(person))).body.id, me.id);
});

test("a person known by UserInfo only gets their address and name, and no second account", async (t) => {
  t.after(() => issuer.limitClaims(false));
  issuer.limitClaims(true);
  const person = newPerson();
  const { body: me } = await avow.getMe(await signInAs(person));
  assert.deepEqual([me.email, me.displayName, me.emailConfirmed], [person.email, "Ada", true]);
  const { email } = await avow.newUser();
  issuer.become(newPerson({ email }));
  assert.equal((await new Browser(avow.url).signIn("company")).status, 409);
  // UserInfo must be about the same person (OpenID Connect Core 5.3.2).
  issuer.become(newPerson());
  issuer.forge((payload) => Object.assign(payload, { sub: "another" }));
  assert.equal((await new Browser(avow.url).signIn("company")).status, 400);
});

test("claims that cannot be stored are rejected, or left out", async () => {
  for (const sub of ["", "a\0b", "é", "x".repeat(256)]) {
    issuer.become(newPerson({ sub }));
    assert.equal((await new Browser(avow.url).signIn("company")).status, 400, JSON.stringify(sub));
  }
  const person = newPerson({ email: "a\0@example.org", name: "half \ud800" });
  const { body: me } = await avow.getMe(await signInAs(person));
  assert.equal(me.email, null);
  assert.equal(me.displayName.includes("half"), false);
});

test("a code works once, for a minute", async (t) => {
  t.after(() => service.clock.reset());
  issuer.become(newPerson());
  const code = codeOf(await new Browser(avow.url).signIn("company"));
  const answers = await Promise.all([exchange(code), exchange(code)]);
  assert.deepEqual(
    answers.map(({ status }) => status).toSorted((a, b) => a - b),
    [200, 400],
  );
  const late = codeOf(await new Browser(avow.url).signIn("company"));
  service.clock.advance(61_000);
  const answer = await exchange(late);
  assert.deepEqual([answer.status, faultPaths(answer)], [400, ["/code"]]);
});

test("the request to the provider has PKCE, state and nonce, fresh ones each time, and the exact redirect URI", async () => {
  const begin = async (): Promise<URLSearchParams> => {
    const path = "/v1/auth/company?redirectURI=https%3A%2F%2Fadmin.example%2F";
    const answer = await new Browser(avow.url).open(path);
    const [cookie = ""] = answer.headers.getSetCookie();
    assert.match(
      cookie,
      /; Path=\/v1\/auth\/company\/callback; Max-Age=600; HttpOnly; SameSite=Lax$/,
    );
    return new URL(answer.headers.get("location") ?? "").searchParams;
  };
  const [one, two] = [await begin(), await begin()];
  assert.equal(one.get("response_type"), "code");
  assert.equal(one.get("redirect_uri"), `${avow.url}/v1/auth/company/callback`);
  assert.equal(one.get("code_challenge_method"), "S256");
  for (const name of ["state", "nonce", "code_challenge"]) {
    assert.ok((one.get(name) ?? "").length >= 43, name);
    assert.notEqual(one.get(name), two.get(name));
  }
});

test("an address with an account is never linked automatically: 409, with a page that explains how to link", async () => {
  const { email } = await avow.newUser();
  issuer.become(newPerson({ email: email.toUpperCase() }));
  const browser = new Browser(avow.url);
  const begun = await browser.open("/v1/auth/company?redirectURI=https%3A%2F%2Fadmin.example%2F");
  const back = await browser.open(begun.headers.get("location") ?? "");
  const callback = back.headers.get("location") ?? "";
  const page = await browser.open(callback, { accept: "text/html" });
  assert.equal(page.status, 409);
  assert.match(page.headers.get("content-type") ?? "", /^text\/html/);
  assert.match(page.body, /add this sign-in method/);
});

test("a signed-in user adds a way of signing in by confirming it, and can then sign in with it", async () => {
  const user = await avow.newUser();
  const person = newPerson();
  issuer.become(person);
  const browser = new Browser(avow.url);
  const code = codeOf(await browser.signIn("company", { token: user.token }));
  const linked = await exchange(code, user.token);
  assert.equal(linked.status, 200);
  assert.equal((await avow.getMe(linked.body.token)).body.id, user.id);
  assert.equal((await avow.getMe(await signInAs(person))).body.id, user.id);
});

test("a link that was forced on another browser adds nothing: the code requires its user's token", async () => {
  const attacker = await avow.newUser();
  const victim = newPerson();
  issuer.become(victim);
  for (const token of [undefined, (await avow.newUser()).token]) {
    const signedIn = await new Browser(avow.url).signIn("company", { token: attacker.token });
    assert.equal((await exchange(codeOf(signedIn), token)).status, 400);
  }
  const { body: me } = await avow.getMe(await signInAs(victim));
  assert.notEqual(me.id, attacker.id);
});

test("an identity of one account cannot be added to another: 409", async () => {
  const person = newPerson();
  await signInAs(person);
  const other = await avow.newUser();
  const answer = await new Browser(avow.url).signIn("company", { token: other.token });
  assert.equal(answer.status, 409);
});

test("ways of signing in are removed one by one, and the last one stays", async () => {
  const user = await avow.newUser();
  const person = newPerson();
  issuer.become(person);
  await exchange(
    codeOf(await new Browser(avow.url).signIn("company", { token: user.token })),
    user.token,
  );
  const { body: me } = await avow.getMe(user.token);
  assert.deepEqual(me.identities, {
    local: { username: user.email, email: user.email },
    company: { subject: person.sub, email: person.email },
  });
  const remove = (id: string, token = user.token): Promise<TestAnswer> =>
    avow.fetch(`/v1/auth/identities/${id}`, { method: "DELETE", token });
  const [local, social] = me.signInMethods;
  const stranger = await avow.newUser();
  assert.equal((await remove(social.id, stranger.token)).status, 404);
  const answers = await Promise.all([remove(local.id), remove(social.id)]);
  assert.deepEqual(
    answers.map(({ status }) => status).toSorted((a, b) => a - b),
    [204, 409],
  );
  const left = (await avow.getMe(user.token)).body.signInMethods;
  assert.equal(left.length, 1);
  assert.equal((await remove(left[0].id)).status, 409);
});

test("an address that the provider does not vouch for is stored as unconfirmed", async () => {
  const { body: me } = await avow.getMe(await signInAs(newPerson({ email_verified: false })));
  assert.equal(me.emailConfirmed, false);
});

test("a person without an address has none: no made-up one is returned, mailed or confirmed", async () => {
  const token = await signInAs(newPerson({ email: undefined, email_verified: undefined }));
  const { body: me } = await avow.getMe(token);
  assert.deepEqual([me.email, me.emailConfirmed, me.displayName], [null, false, "Ada"]);
  assert.match(me.username, /^company-[0-9a-f]{16}$/);
  const asked = await avow.fetch("/v1/auth/local/validate", { method: "POST", token });
  assert.equal(asked.status, 409);
  const json = { websiteURL: "https://shop.example", title: "Shop" };
  const project = await avow.fetch("/v1/vault/projects", { token, json });
  const at = `/v1/vault/projects/${project.body.id}/users`;
  const { body: users } = await avow.fetch(at, { token });
  assert.deepEqual([users[0].email, users[0].emailConfirmed], [null, false]);
  const owner = await avow.newUser();
  const other = await avow.fetch("/v1/vault/projects", { token: owner.token, json });
  const added = await avow.fetch(`/v1/vault/projects/${other.body.id}/users`, {
    token: owner.token,
    json: { email: me.username },
  });
  assert.equal(added.status, 422, "nor does the made-up name work as an address");
});

test("concurrent first sign-ins of one person create one account", async () => {
  for (const more of [{}, { email: undefined }]) {
    issuer.become(newPerson(more));
    const codes = await Promise.all(
      Array.from({ length: 6 }, async () => codeOf(await new Browser(avow.url).signIn("company"))),
    );
    const tokens = await Promise.all(codes.map(async (code) => (await exchange(code)).body.token));
    const ids = await Promise.all(tokens.map(async (token) => (await avow.getMe(token)).body.id));
    assert.equal(new Set(ids).size, 1);
    assert.match(ids[0], /^[0-9a-f]{24}$/);
  }
});

test("a person who refuses at the provider returns to the application with error=access_denied", async () => {
  const browser = new Browser(avow.url);
  const begun = await browser.open("/v1/auth/company?redirectURI=https%3A%2F%2Fadmin.example%2Fin");
  const state = new URL(begun.headers.get("location") ?? "").searchParams.get("state");
  const answer = await browser.open(`/v1/auth/company/callback?error=access_denied&state=${state}`);
  assert.equal(answer.headers.get("location"), "https://admin.example/in?error=access_denied");
});

test("a callback with another nonce, audience, issuer or signature, a replayed state, or in another browser is rejected", async () => {
  const forgeries: ((payload: Record<string, unknown>) => void)[] = [
    (payload) => (payload["nonce"] = "another"),
    (payload) => (payload["aud"] = "another"),
    (payload) => (payload["iss"] = "https://evil.example"),
    (payload) => (payload["exp"] = 1),
    (payload) => delete payload["sub"],
  ];
  for (const forge of forgeries) {
    issuer.become(newPerson());
    issuer.forge(forge);
    assert.equal((await new Browser(avow.url).signIn("company")).status, 400, String(forge));
  }
  issuer.become(newPerson());
  issuer.refuseTokens(400);
  assert.equal((await new Browser(avow.url).signIn("company")).status, 400);
  issuer.refuseTokens(undefined);
  const browser = new Browser(avow.url);
  const begun = await browser.open("/v1/auth/company?redirectURI=https%3A%2F%2Fadmin.example%2F");
  const back = await browser.open(begun.headers.get("location") ?? "");
  const callback = back.headers.get("location") ?? "";
  assert.equal((await new Browser(avow.url).open(callback)).status, 400, "another browser");
  const elsewhere = callback.replace("/company/", "/other/");
  assert.equal((await browser.open(elsewhere)).status, 400, "another provider");
  assert.equal((await browser.open(`${callback}x`)).status, 400, "another state");
  assert.equal((await browser.open(callback)).status, 302);
  assert.equal((await browser.open(callback)).status, 400, "a second time");
});

test("redirectURI redirects to configured origins only; nothing returns 5xx", async () => {
  const tried = [
    "https://evil.example/",
    "//evil.example",
    "https://admin.example@evil.example",
    "https://admin.example.evil.example",
    "https://admin.example:444/",
    "http://admin.example/",
    "javascript:alert(1)",
    "data:text/html,x",
    "https:\\\\evil.example",
    "/\\evil.example",
    "https://evil.example#https://admin.example",
    "https://admin.example\r\nSet-Cookie: a=b",
    "\u0000",
    "",
    "%",
  ];
  for (const given of tried) {
    const query = new URLSearchParams({ redirectURI: given });
    const answer = await avow.fetch(`/v1/auth/company?${query.toString()}`);
    assert.equal(answer.status, 400, JSON.stringify(given));
    assert.equal(answer.headers.get("location"), null);
  }
  for (const path of [
    "company/callback",
    "company/callback?state=x&code=y",
    "company?redirectURI=a&redirectURI=b",
  ])
    assert.equal((await avow.fetch(`/v1/auth/${path}`)).status, 400, path);
  for (const path of ["nobody?redirectURI=https://admin.example/", "nobody/callback"])
    assert.equal((await avow.fetch(`/v1/auth/${path}`)).status, 404, path);
  for (const cookie of ["avow_x=y", "avow_", "=;;=", "avow_0123456789abcdef=%00"]) {
    const headers = { cookie };
    const callback = `${avow.url}/v1/auth/company/callback?state=x&code=y`;
    assert.equal((await service.fetch(callback, { headers })).status, 400, cookie);
  }
});

test("Apple's callback is a form", async () => {
  const person = newPerson();
  issuer.become(person);
  const begun = await service.fetch(
    `${avow.url}/v1/auth/apple?redirectURI=https%3A%2F%2Fadmin.example%2F`,
  );
  const [set = ""] = begun.headers.getSetCookie();
  assert.match(set, /SameSite=None; Secure$/);
  const url = new URL(begun.headers.get("location") ?? "");
  assert.equal(url.searchParams.get("response_mode"), "form_post");
  const back = await service.fetch(url.href);
  const { searchParams } = new URL(back.headers.get("location") ?? "");
  const form = Object.fromEntries(searchParams);
  const headers = { cookie: set.split(";", 1)[0] ?? "" };
  const answer = await avow.fetch("/v1/auth/apple/callback", { form, headers });
  assert.equal((await exchange(codeOf(answer))).status, 200);
});

test("Apple receives a newly signed client secret, valid for ten minutes (ES256)", async () => {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const key = privateKey.export({ type: "pkcs8", format: "pem" });
  const settings = { clientId: "org.example.web", teamId: "TEAM123456", keyId: "KEY1234567" };
  await using signing = await openSigning({
    apple: { issuer: issuer.issuer, ...settings, privateKey: key },
  });
  issuer.become(newPerson());
  const begun = await signing.fetch("/v1/auth/apple?redirectURI=https%3A%2F%2Fadmin.example%2F");
  const [set = ""] = begun.headers.getSetCookie();
  const back = await service.fetch(begun.headers.get("location") ?? "");
  const form = Object.fromEntries(new URL(back.headers.get("location") ?? "").searchParams);
  const cookie = set.split(";", 1)[0] ?? "";
  const answer = await signing.fetch("/v1/auth/apple/callback", { form, headers: { cookie } });
  assert.equal(answer.status, 302, JSON.stringify(answer.body));
  const { client_secret: secret = "", client_id: id } = issuer.exchanged.at(-1) ?? {};
  assert.equal(id, settings.clientId);
  runLog.remember("Apple's client secret", secret);
  runLog.remember("the key of Apple's client secret", key.split("\n")[1]);
  const [head = "", claims = "", signature = ""] = secret.split(".");
  const read = (part: string) => JSON.parse(Buffer.from(part, "base64url").toString());
  assert.deepEqual(read(head), { alg: "ES256", kid: settings.keyId });
  const { iss, sub, aud, iat, exp } = read(claims);
  assert.deepEqual([iss, sub, aud], [settings.teamId, settings.clientId, issuer.issuer]);
  assert.equal(exp - iat, 600);
  assert.ok(Math.abs(iat - service.clock.now().getTime() / 1_000) < 60);
  const by = { key: publicKey, dsaEncoding: "ieee-p1363" } as const;
  const signed = Buffer.from(`${head}.${claims}`);
  assert.ok(verify("sha256", signed, by, Buffer.from(signature, "base64url")));
});

test("a provider that does not respond is 503 with Retry-After, and no log line contains a code, a state, a secret or an address", async () => {
  const away = await openTestProvider();
  await using down = await openSigning({ company: { issuer: away.issuer, ...client } });
  await away[Symbol.asyncDispose]();
  const answer = await down.fetch("/v1/auth/company?redirectURI=https%3A%2F%2Fadmin.example%2F");
  assert.equal(answer.status, 503);
  assert.ok(Number(answer.headers.get("retry-after")) > 0);
  const log = [...avow.lines, ...down.lines].join("\n");
  assert.match(log, /provider sign-in failed/);
  assert.doesNotMatch(log, /s3cret-of-the-client|avw_|[?&](code|state)=|@example\.org/);
});

test("a cookie's session exchanges a code only in the browser that began, and leaves it to that one", async () => {
  const finish = (browser: Browser, code: string) =>
    browser.post("/v1/auth/session/exchange", { code });
  const begin = async (browser: Browser) => {
    issuer.become(newPerson());
    const redirectURI = `${avow.url}/admin/signin/finish`;
    return codeOf(await browser.signIn("company", { redirectURI }));
  };
  const [attacker, victim] = [new Browser(avow.url), new Browser(avow.url)];
  const theirs = await begin(attacker);
  const refused = await finish(new Browser(avow.url), theirs);
  assert.deepEqual([refused.status, faultPaths(refused)], [400, ["/code"]]);
  assert.equal(refused.headers.get("set-cookie"), null);
  const own = await begin(victim);
  assert.equal(
    (await finish(victim, theirs)).status,
    400,
    "a user's own code does not work for another",
  );
  const done = await finish(victim, own);
  assert.equal(done.status, 200, JSON.stringify(done.body));
  assert.match(done.headers.get("set-cookie") ?? "", /^avow-session=/);
  assert.equal((await finish(attacker, theirs)).status, 200);
  assert.equal((await finish(attacker, theirs)).status, 400, "once");
});

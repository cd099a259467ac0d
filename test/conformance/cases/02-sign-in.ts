import assert from "node:assert/strict";
import {
  type Answer,
  type Json,
  assertProblem,
  assertStatus,
  getLink,
  toList,
  toText,
  toPlain,
} from "../client.ts";
import { behaviour, section } from "../behaviour.ts";
import {
  type Account,
  getOptions,
  login,
  newEmail,
  newPassword,
  once,
  openOwner,
  runId,
  signUp,
  visitor,
} from "../target.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
const TOKEN_DAYS = 15;
const ATTEMPTS_MAX = 30;
const signin = "/v1/auth/local/signin";
const signup = "/v1/auth/local/signup";

/** An account whose password the suite may change. */
const openDisposable = once(async (): Promise<(Account & { password: string }) | undefined> => {
  if (!getOptions().mayCreateAccounts) return undefined;
  const account = await signUp("disposable");
  return { ...account, password: account.password ?? "" };
});
const noSignup = "needs a new account, and --no-signup was passed";

function assertSession(answer: Answer): string {
  const { json } = assertStatus(answer, 200);
  const lifetimeMs = Date.parse(toText(json["expiresAt"], "expiresAt")) - Date.now();
  assert.ok(Math.abs(lifetimeMs - TOKEN_DAYS * DAY_MS) < DAY_MS / 24, "a token lives 15 days");
  assert.equal(typeof json["links"], "object");
  return toText(json["token"], "token");
}

section("Sign-in", { isConcurrent: false }, () => {
  behaviour("accepts the existing token of the account", "interface: Authentication", async () => {
    const { client, id } = await openOwner();
    const { json } = assertStatus(await client.get("/v1/auth/me"), 200);
    assert.equal(json["_id"], id);
    assert.equal(json["id"], id);
    for (const name of ["email", "displayName", "createdAt"])
      assert.equal(typeof json[name], "string", name);
    assert.equal(typeof json["links"], "object");
  });

  behaviour(
    "signs in by password with the e-mail address, whatever its case",
    "wire 1",
    async (t) => {
      const account = await openDisposable();
      if (!account) return t.skip(noSignup);
      const { email, password } = account;
      for (const username of [email, email.toUpperCase()]) {
        const token = assertSession(await login.post(signin, { username, password }));
        assertStatus(await visitor.withToken(token).get("/v1/auth/me"), 200);
      }
    },
  );

  behaviour("signs in by a form", "wire 0", async (t) => {
    const account = await openDisposable();
    if (!account) return t.skip(noSignup);
    const { email: username, password } = account;
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    const body = new URLSearchParams({ username, password }).toString();
    assertSession(await login.send("POST", signin, { headers, body }));
  });

  behaviour("answers an unknown user and a wrong password alike: 401", "wire 1", async (t) => {
    const account = await openDisposable();
    if (!account) return t.skip(noSignup);
    const wrong = { username: account.email, password: newPassword() };
    const unknown = { username: newEmail("unknown"), password: newPassword() };
    const first = assertProblem(await login.post(signin, wrong), 401);
    const second = assertProblem(await login.post(signin, unknown), 401);
    assert.equal(first.json["message"], second.json["message"]);
  });

  behaviour("names each missing field of sign-in and sign-up: 400", "wire 1", async (t) => {
    const paths = ({ json }: Answer) => toList(json["errors"]).map(({ path }) => toPlain(path));
    const answer = assertProblem(await login.post(signin, {}), 400);
    assert.match(paths(answer).join(" "), /username/);
    assert.match(paths(answer).join(" "), /password/);
    if (!getOptions().mayCreateAccounts) return t.skip(noSignup);
    const created = assertProblem(await login.post(signup, {}), 400);
    assert.match(paths(created).join(" "), /password/);
    assert.match(paths(created).join(" "), /username|email/);
  });

  behaviour("signs up with a username or an e-mail address alone", "wire 1", async (t) => {
    if (!getOptions().mayCreateAccounts) return t.skip(noSignup);
    const username = newEmail("alone");
    const password = newPassword();
    const token = assertSession(await login.post(signup, { username, password }));
    const { json } = assertStatus(await visitor.withToken(token).get("/v1/auth/me"), 200);
    assert.equal(json["email"], username);
    assert.equal(json["displayName"], username.split("@")[0]);
  });

  behaviour("keeps the names that a sign-up sends", "wire 1", async (t) => {
    if (!getOptions().mayCreateAccounts) return t.skip(noSignup);
    const names = { displayName: "Ada M.", firstName: "Ada", lastName: "Martin" };
    const { client } = await signUp("names", names);
    const { json } = assertStatus(await client.get("/v1/auth/me"), 200);
    for (const [name, value] of Object.entries(names)) assert.equal(json[name], value, name);
  });

  behaviour(
    "rejects a sign-up whose address is in use, whatever its case: 409",
    "wire 1",
    async (t) => {
      const account = await openDisposable();
      if (!account) return t.skip(noSignup);
      const password = newPassword();
      for (const body of [
        { email: account.email },
        { email: account.email.toUpperCase() },
        { username: account.email },
      ])
        assertProblem(await login.post(signup, { ...body, password }), 409);
    },
  );

  behaviour(
    "enforces no complexity rule unless the operator sets one",
    "wire 9: Passwords",
    async (t) => {
      if (!getOptions().mayCreateAccounts) return t.skip(noSignup);
      const answer = await login.post(signup, { email: newEmail("short"), password: "a" });
      if (answer.status === 400 && /password/.test(JSON.stringify(answer.json["errors"] ?? {})))
        return t.skip("the operator of this service requires longer passwords");
      assertSession(answer);
    },
  );

  behaviour(
    "rejects an empty password and one of over 1,024 characters: 400",
    "wire 1",
    async (t) => {
      if (!getOptions().mayCreateAccounts) return t.skip(noSignup);
      for (const password of ["", "x".repeat(1025)])
        assertProblem(await login.post(signup, { email: newEmail("bounds"), password }), 400);
    },
  );

  behaviour("lists the identities of a user by provider, without secrets", "wire 9", async (t) => {
    const account = await openDisposable();
    if (!account) return t.skip(noSignup);
    const { json, text } = assertStatus(await account.client.get("/v1/auth/me"), 200);
    const identities = json["identities"];
    assert.ok(!Array.isArray(identities), "identities is an object by provider");
    assert.deepEqual(identities?.["local"], { username: account.email, email: account.email });
    assert.doesNotMatch(text, /hash|argon|secret/i);
  });

  behaviour("changes the names of the user", "wire 1", async (t) => {
    const account = await openDisposable();
    if (!account) return t.skip(noSignup);
    const body = { displayName: "Ada Conformance", firstName: "Ada", lastName: "Conformance" };
    const changed = assertStatus(await account.client.patch("/v1/auth/me", body), 200);
    const { json } = assertStatus(await account.client.get("/v1/auth/me"), 200);
    for (const [name, value] of Object.entries(body)) {
      assert.equal(changed.json[name], value, name);
      assert.equal(json[name], value, name);
    }
  });

  behaviour("revokes a token at once at sign-out, by GET and by POST", "wire 1", async (t) => {
    const account = await openDisposable();
    if (!account) return t.skip(noSignup);
    const { email: username, password } = account;
    for (const method of ["GET", "POST"]) {
      const token = assertSession(await login.post(signin, { username, password }));
      const client = visitor.withToken(token);
      assertStatus(await client.send(method, "/v1/auth/logout"), 200, 204);
      assertProblem(await client.get("/v1/auth/me"), 403);
    }
  });

  behaviour("lists and revokes sessions", "wire 1", async (t) => {
    const account = await openDisposable();
    if (!account) return t.skip(noSignup);
    const { email: username, password, client } = account;
    const list = async () => toList(assertStatus(await client.get("/v1/auth/tokens"), 200).json);
    const before = new Set((await list()).map(({ id }) => toPlain(id)));
    const token = assertSession(await login.post(signin, { username, password }));
    const added = (await list()).find(({ id }) => !before.has(toPlain(id)));
    assert.ok(added, "the new session is in the list");
    assert.ok(!JSON.stringify(added).includes(token), "a secret is in the list");
    const id = toText(added["id"], "id");
    assertStatus(await client.get(`/v1/auth/tokens/${id}`), 200);
    assertStatus(await client.delete(`/v1/auth/tokens/${id}`), 200, 204);
    assertProblem(await visitor.withToken(token).get("/v1/auth/me"), 403);
  });

  behaviour("creates an API key whose secret is answered once", "wire 1", async (t) => {
    const { client } = await openOwner();
    const scopes = await readScopes();
    if (!scopes) return t.skip("the OpenAPI document lists no scopes of API keys");
    const expiresAt = new Date(Date.now() + DAY_MS).toISOString();
    const body = { label: `Conformance ${runId}`, scopes, expiresAt };
    const created = assertStatus(await client.post("/v1/auth/tokens", body), 200, 201);
    const secret = toText(created.json["token"], "token");
    const id = toText(created.json["id"], "id");
    const read = assertStatus(await client.get(`/v1/auth/tokens/${id}`), 200);
    assert.ok(!read.text.includes(secret), "the secret is answered again");
    assert.equal(read.json["label"], body.label);
    assert.equal(read.json["expiresAt"], expiresAt);
    assertStatus(await visitor.withToken(secret).get("/v1/vault/projects"), 200);
    assertStatus(await client.delete(`/v1/auth/tokens/${id}`), 200, 204);
    assertProblem(await visitor.withToken(secret).get("/v1/vault/projects"), 403);
  });

  behaviour("changes the password, and revokes every other token", "wire 1", async (t) => {
    if (!getOptions().mayCreateAccounts) return t.skip(noSignup);
    const { client, email: username, password: current } = await signUp("password");
    const other = assertSession(await login.post(signin, { username, password: current }));
    const changed = newPassword();
    const path = "/v1/auth/local/update-password";
    const body = { current, new: changed, confirm: changed };
    assertProblem(await client.put(path, { ...body, confirm: newPassword() }), 400);
    assertStatus(await client.put(path, body), 200);
    assertStatus(await client.get("/v1/auth/me"), 200);
    assertProblem(await visitor.withToken(other).get("/v1/auth/me"), 403);
    assertSession(await login.post(signin, { username, password: changed }));
    assertProblem(await login.post(signin, { username, password: current }), 401);
  });

  behaviour("answers a password reset alike for unknown addresses", "wire 1", async () => {
    const path = "/v1/auth/local/reset-password-token";
    const answer = assertStatus(await login.post(path, { email: newEmail("unknown") }), 200);
    assert.deepEqual(answer.json, { success: true });
  });

  behaviour("rejects an unknown reset token", "wire 1", async () => {
    const body = { token: "conformance-unknown", password: newPassword() };
    const answer = await login.post("/v1/auth/local/reset-password", body);
    assertProblem(answer, 400, 403, 404);
  });

  behaviour("lists sign-in providers", "wire 1", async () => {
    const { json } = assertStatus(await visitor.get("/v1/auth/providers"), 200);
    assert.ok(Array.isArray(json), "a bare array");
    for (const provider of toList(json)) {
      assert.equal(typeof provider["name"], "string");
      assert.equal(typeof provider["title"], "string");
      assert.ok(getLink(provider, Object.keys(provider["links"] ?? {})[0] ?? "self"));
    }
  });

  behaviour("limits wrong passwords of one account: 429 with Retry-After", "wire 1", async (t) => {
    if (!getOptions().mayCreateAccounts) return t.skip(noSignup);
    const username = newEmail("guessed");
    let answer: Answer | undefined;
    for (let n = 0; n < ATTEMPTS_MAX && answer?.status !== 429; n += 1) {
      answer = await login.post(signin, { username, password: newPassword() });
      assertStatus(answer, 401, 429);
    }
    assert.equal(answer?.status, 429, `no limit after ${ATTEMPTS_MAX} attempts`);
    assertProblem(answer, 429);
    assert.ok(Number(answer.headers.get("retry-after")) > 0, "Retry-After");
  });
});

/** Scopes of API keys: the specification leaves their names to the OpenAPI document of the service. */
async function readScopes(): Promise<string[] | undefined> {
  const { json: service } = assertStatus(await visitor.get("/v1"), 200);
  const { json: document } = assertStatus(await visitor.get(getLink(service, "openapi")), 200);
  const resolve = (schema: Json | undefined): Json | undefined => {
    const reference: unknown = schema?.["$ref"];
    if (typeof reference !== "string") return schema;
    return reference
      .slice(2)
      .split("/")
      .reduce<Json | undefined>((value, name) => value?.[name], document);
  };
  const body = document["paths"]?.["/v1/auth/tokens"]?.["post"]?.["requestBody"];
  const schema = resolve(body?.["content"]?.["application/json"]?.["schema"]);
  const item = resolve(resolve(schema?.["properties"]?.["scopes"])?.["items"]);
  const variants = item?.["enum"] ?? item?.["anyOf"];
  if (!Array.isArray(variants)) return undefined;
  const names = variants.map((one: unknown) =>
    typeof one === "string" ? one : (one as { const?: string }).const,
  );
  return names.filter((name) => name !== undefined && /vault|read|project/.test(name)) as string[];
}

import assert from "node:assert/strict";
import { after, test } from "node:test";
import { pino } from "pino";
import { openDatabase } from "../../packages/server/platform/db/open.ts";
import { openTestDatabase } from "../database.ts";
import { type TestAnswer, type TestRequest, operatorToken, service } from "../harness.ts";
import { faultPaths, newUserBy, password, signupPath, unique } from "./accounts.ts";
import { openAnotherService } from "./another-service.ts";
import { Browser, codeOf, openTestProvider } from "./provider.ts";

const log = pino({ level: "silent" });

const issuer = await openTestProvider();
after(() => issuer[Symbol.asyncDispose]());
const company = { issuer: issuer.issuer, title: "The company", clientId: "a", clientSecret: "b" };
const settings = {
  CORS_ORIGINS: "https://admin.example",
  SIGN_IN_PROVIDERS: JSON.stringify({ company }),
  OPERATOR_TOKEN: operatorToken,
};
const database = await openTestDatabase();
after(() => database[Symbol.asyncDispose]());
const node = await openAnotherService(database.url, settings);
after(() => node[Symbol.asyncDispose]());
const send = (path: string, request: TestRequest = {}): Promise<TestAnswer> =>
  service.fetch(node.url + path, request);
const newUser = () => newUserBy(send);

type Mode = "open" | "invitation" | "closed";
const setMode = (mode: Mode, token = operatorToken): Promise<TestAnswer> =>
  send("/v1/auth/signups", { method: "PUT", token, json: { mode } });
const getMode = (url = node.url): Promise<TestAnswer> => service.fetch(`${url}/v1/auth/signups`);
const signUp = (more: object = {}, path = signupPath): Promise<TestAnswer> =>
  send(path, {
    json: { email: `new-${unique()}@example.org`, password, ...more },
    headers: { origin: node.url },
  });

/** A project's owner, and the token of an invitation to it. */
async function invite(email = `invited-${unique()}@example.org`) {
  await setMode("open");
  const owner = await newUser();
  const json = { websiteURL: "https://shop.example", title: "Shop" };
  const project = await send("/v1/vault/projects", { token: owner.token, json });
  const data = { collection: "projects", id: project.body.id };
  // The node has the sign-in of one organization, which binds invitations by default.
  const sent = { token: owner.token, json: { email, data, boundToAddress: false } };
  const { body } = await send("/v1/auth/invitations", sent);
  return { projectId: project.body.id as string, token: body.invitationToken.value as string };
}

function newPerson() {
  const sub = unique();
  issuer.become({ sub, email: `p-${sub}@example.org`, email_verified: true, name: "Ada" });
  return sub;
}

async function beginWithProvider(invitationToken?: string): Promise<TestAnswer> {
  const query = new URLSearchParams({
    redirectURI: "https://admin.example/in",
    ...(invitationToken === undefined ? {} : { invitationToken }),
  });
  const browser = new Browser(node.url);
  const begun = await browser.open(`/v1/auth/company?${query.toString()}`);
  const back = await browser.open(begun.headers.get("location") ?? "");
  return browser.open(back.headers.get("location") ?? "", { accept: "text/html" });
}

async function exchange(answer: TestAnswer): Promise<string> {
  const { body } = await send("/v1/auth/exchange", { json: { code: codeOf(answer) } });
  return body.token;
}

test("sign-ups are open by default, and everyone reads the mode", async () => {
  const answer = await getMode();
  assert.deepEqual([answer.status, answer.body], [200, { mode: "open", fixed: false }]);
  assert.equal((await signUp()).status, 200);
});

test("closed sign-ups are rejected on every route, with an invitation too; sign-ins work", async () => {
  const { token } = await invite();
  const user = await newUser();
  assert.deepEqual((await setMode("closed")).body, { mode: "closed", fixed: false });
  for (const path of [signupPath, "/v1/auth/session/signup"])
    for (const more of [{}, { invitationToken: token }]) {
      const { status, body, headers } = await signUp(more, path);
      assert.equal(status, 403, path);
      assert.match(body.detail, /^Sign-ups are closed\./);
      assert.equal(headers.get("set-cookie"), null);
    }
  const form = { token, email: `f-${unique()}@example.org`, password, do: "signup" };
  const page = await send("/account/invitation", { form });
  assert.equal(page.status, 403);
  assert.match(page.body, /role="alert">Sign-ups are closed\./);
  assert.doesNotMatch(page.body, /value="signup"/, "the page offers no new account");
  newPerson();
  const refused = await beginWithProvider(token);
  assert.equal(refused.status, 403);
  assert.match(refused.body, /No account was created/);
  const json = { username: user.email, password };
  assert.equal((await send("/v1/auth/local/signin", { json })).status, 200);
});

test("a sign-up by invitation needs a valid one, which works once and joins the project", async () => {
  const { projectId, token } = await invite();
  await setMode("invitation");
  const without = await signUp();
  assert.equal(without.status, 403);
  assert.match(without.body.detail, /^Sign-ups need an invitation\./);
  const unknown = await signUp({ invitationToken: "unknown" });
  assert.deepEqual([unknown.status, faultPaths(unknown)], [422, ["/invitationToken"]]);
  const joined = await signUp({ invitationToken: token });
  assert.equal(joined.status, 200, JSON.stringify(joined.body));
  const project = `/v1/vault/projects/${projectId}`;
  assert.equal((await send(project, { token: joined.body.token })).status, 200);
  assert.equal((await signUp({ invitationToken: token })).status, 422, "it was used");
});

test("two sign-ups with one invitation at once create one account", async () => {
  const { token } = await invite();
  await setMode("invitation");
  const answers = await Promise.all([1, 2, 3].map(() => signUp({ invitationToken: token })));
  const statuses = answers.map(({ status }) => status).toSorted((a, b) => a - b);
  assert.deepEqual(statuses, [200, 422, 422]);
});

test("a first sign-in with a provider needs an invitation too, a later one does not", async () => {
  const { projectId, token } = await invite();
  await setMode("invitation");
  newPerson();
  const without = await beginWithProvider();
  assert.equal(without.status, 403);
  assert.match(without.body, /No account was created/);
  assert.equal((await beginWithProvider("unknown")).status, 404);
  const session = await exchange(await beginWithProvider(token));
  const project = `/v1/vault/projects/${projectId}`;
  assert.equal((await send(project, { token: session })).status, 200);
  const again = await exchange(await beginWithProvider());
  assert.equal((await send("/v1/auth/me", { token: again })).status, 200);
  newPerson();
  assert.equal((await beginWithProvider(token)).status, 404, "the invitation was used");
});

test("a switch takes effect at once on another node, and is an event of the audit trail", async () => {
  await using other = await openAnotherService(database.url, { ...settings, PUBLIC_URL: node.url });
  await setMode("open");
  await setMode("closed");
  assert.equal((await getMode(other.url)).body.mode, "closed");
  const json = { email: `n-${unique()}@example.org`, password };
  assert.equal((await service.fetch(other.url + signupPath, { json })).status, 403);
  await setMode("open");
  assert.equal((await service.fetch(other.url + signupPath, { json })).status, 200);
  await using db = openDatabase({ url: database.url, poolMax: 1, queueMax: 10, log });
  const events = await db
    .selectFrom("events")
    .select(["actor", "data"])
    .where("name", "=", "signups.changed")
    .orderBy("id", "desc")
    .limit(2)
    .execute();
  assert.deepEqual(events, [
    { actor: "operator", data: { before: "closed", mode: "open" } },
    { actor: "operator", data: { before: "open", mode: "closed" } },
  ]);
});

test("only operators switch sign-ups, and only to a known mode", async () => {
  await setMode("open");
  const user = await newUser();
  assert.equal((await setMode("closed", user.token)).status, 403);
  const anonymous = { method: "PUT", json: { mode: "closed" } };
  assert.equal((await send("/v1/auth/signups", anonymous)).status, 403);
  assert.equal((await setMode("shut" as Mode)).status, 400);
  assert.equal((await getMode()).body.mode, "open");
});

test("the setting SIGNUPS decides over what is stored", async () => {
  await using empty = await openTestDatabase();
  const env = { SIGNUPS: "closed", OPERATOR_TOKEN: operatorToken };
  await using fixed = await openAnotherService(empty.url, env);
  assert.deepEqual((await getMode(fixed.url)).body, { mode: "closed", fixed: true });
  const json = { email: `n-${unique()}@example.org`, password };
  assert.equal((await service.fetch(fixed.url + signupPath, { json })).status, 403);
  const put = { method: "PUT", token: operatorToken, json: { mode: "open" } };
  const refused = await service.fetch(`${fixed.url}/v1/auth/signups`, put);
  assert.equal(refused.status, 409);
  assert.match(refused.body.detail, /SIGNUPS/);
});

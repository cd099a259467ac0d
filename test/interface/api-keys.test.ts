import assert from "node:assert/strict";
import { test } from "node:test";
import { scopeNames } from "../../packages/server/kernel/rights.ts";
import { type TestAnswer, service } from "../harness.ts";
import { eventsOf, faultPaths, getMe } from "./accounts.ts";
import { listMails, waitForMail } from "./mails.ts";
import { askForLink } from "./persons.ts";
import { collect, create, newSite, publish, toCookies } from "./site.ts";
import { waitUntil } from "./webhooks.ts";

const at = "/v1/auth/tokens";
const newKey = (token: string, json: Record<string, unknown>): Promise<TestAnswer> =>
  service.fetch(at, { token, json: { label: "machine", ...json } });

async function keyFor(
  token: string,
  scopes: readonly string[],
  more: object = {},
): Promise<string> {
  const answer = await newKey(token, { scopes, ...more });
  assert.equal(answer.status, 201, JSON.stringify(answer.body));
  return answer.body.token;
}

const statusOf = async (path: string, token: string, json?: unknown): Promise<number> =>
  (await service.fetch(path, { token, ...(json === undefined ? {} : { json }) })).status;

test("POST tokens creates an API key with label, scopes, expiry and project; the secret is returned once", async () => {
  const { token, id, project } = await service.newOwner();
  const expiresAt = new Date(service.clock.now().getTime() + 60_000).toISOString();
  const scopes = ["consents:read", "proofs:read"];
  const made = await newKey(token, { label: "CI", scopes, expiresAt, projectId: project.id });
  assert.equal(made.status, 201);
  assert.equal(made.headers.get("cache-control"), "no-store");
  const { label, projectId, token: secret } = made.body;
  assert.deepEqual([label, projectId, made.body.expiresAt], ["CI", project.id, expiresAt]);
  assert.deepEqual(made.body.scopes, scopes);
  const { body: one } = await service.fetch(`${at}/${made.body.id}`, { token });
  assert.deepEqual([one.token, one.label, one.scopes], [undefined, "CI", scopes]);
  const { body: list } = await service.fetch(at, { token });
  assert.ok(!JSON.stringify(list).includes(secret));
  assert.equal((await getMe(secret)).body.id, id, "every key may read its own user");
  assert.ok((await eventsOf(id)).includes("key.created"));
  const { rows } = await service.db.executeQuery<{ n: number }>(
    service.db
      .selectFrom("access_tokens")
      .select((eb) => eb.fn.countAll<number>().as("n"))
      .where("hash", "=", Buffer.from(secret))
      .compile(),
  );
  assert.equal(Number(rows[0]?.n), 0);
});

test("creating a key sends its user a mail in their language, without the secret", async () => {
  const user = await service.newUser();
  assert.equal((await newKey(user.token, { scopes: ["nothing:read"] })).status, 400);
  const headers = { "idempotency-key": "key-1" };
  const json = { label: "CI & <b>shop</b>", scopes: ["vault:read", "proofs:read"] };
  const made = await service.fetch(at, { token: user.token, json, headers });
  assert.equal(made.status, 201, JSON.stringify(made.body));
  const again = await service.fetch(at, { token: user.token, json, headers });
  assert.deepEqual(
    [again.status, again.body.token],
    [409, undefined],
    "the secret is returned once",
  );
  const mail = await waitForMail(user.email, /An API key was created/);
  assert.match(mail.text ?? "", /“CI & <b>shop<\/b>”.*vault:read, proofs:read/s);
  assert.ok(!mail.html?.includes("<b>shop"), "a label is escaped");
  assert.ok(!`${mail.text}${mail.html}`.includes(made.body.token));
  const french = { "accept-language": "fr" };
  const more = { label: "boutique", scopes: ["vault:read"] };
  await service.fetch(at, { token: user.token, json: more, headers: french });
  const frenchMail = await waitForMail(user.email, /Une clé d’API a été créée/);
  assert.match(frenchMail.text ?? "", /« boutique ».*vault:read/s);
  const all = await listMails(user.email);
  const keys = all.filter(({ subject }) => /API/.test(subject ?? ""));
  assert.equal(keys.length, 2, "replays and rejected requests send no mail");
});

test("a key with both consent scopes creates links to persons' pages, as a reader of consents does", async () => {
  const site = await newSite();
  await publish(site);
  assert.equal(
    (await collect(site, "cookies", site.cookies, { accept: true, token: "ann" })).status,
    201,
  );
  for (const only of ["consents:write", "consents:read"]) {
    const token = await keyFor(site.token, [only]);
    const refused = await askForLink(site, { token: "ann" }, { token });
    assert.equal(refused.status, 403, only);
    assert.match(refused.body.detail, /scopes consents:write and consents:read/);
  }
  const token = await keyFor(site.token, ["consents:write", "consents:read"]);
  const made = await askForLink(site, { token: "ann" }, { token });
  assert.equal(made.status, 201, JSON.stringify(made.body));
  assert.equal((await service.fetch(made.body.url)).status, 200);
});

test("a key with the scope consents:write collects as a server does, and reads nothing", async () => {
  const site = await newSite();
  await publish(site);
  const key = await keyFor(site.token, ["consents:write"]);
  const headers = { authorization: `Bearer ${key}` };
  const sent = await collect(site, "cookies", site.cookies, { accept: true }, headers);
  assert.deepEqual([sent.status, sent.body.grade], [201, "server"]);
  const reads = [
    `/v1/app/consents/${site.id}`,
    `/v1/app/exports/${site.id}.csv`,
    `/v1/client/${site.id}/tokens`,
    `/v1/vault/projects/${site.id}`,
    `/v1/client/`,
    `/v1/app/proofs?projectId=${site.id}&token=x`,
    `/v1/app/proofs/${sent.body.consentId}`,
    `/v1/publish/jobs?projectId=${site.id}`,
    `/v1/assets`,
    at,
  ];
  for (const path of reads) {
    const answer = await service.fetch(path, { token: key });
    assert.equal(answer.status, 403, path);
    assert.equal(answer.body.type, "/problems/forbidden");
    const head = await service.fetch(path, { method: "HEAD", token: key });
    assert.ok([403, 404].includes(head.status), path);
  }
  const refused = await service.fetch(`/v1/app/consents/${site.id}`, { token: key });
  assert.match(refused.body.detail, /scope consents:read/);
});

test("a read scope does not allow writing, and no key manages roles, keys or passwords", async () => {
  const site = await newSite();
  const reader = await keyFor(site.token, ["vault:read", "consents:read"]);
  assert.equal(await statusOf(`/v1/vault/projects/${site.id}`, reader), 200);
  assert.equal(await statusOf(`/v1/app/consents/${site.id}`, reader), 200);
  assert.equal(await statusOf("/v1/vault/cookies", reader, toCookies(site.id)), 403);
  assert.equal(await statusOf(`/v1/publish/jobs/${site.id}`, reader, {}), 403);
  const all = await keyFor(site.token, scopeNames);
  const guest = await service.newUser();
  const users = `/v1/vault/projects/${site.id}/users`;
  assert.equal(await statusOf(users, all, { userId: guest.id, roles: ["owner"] }), 403);
  assert.equal((await newKey(all, { scopes: ["vault:read"] })).status, 403);
  const data = { collection: "projects", id: site.id };
  assert.equal(await statusOf("/v1/auth/invitations", all, { email: "a@b.c", data }), 403);
  const change = { current: "correct horse", new: "x", confirm: "x" };
  const put = { method: "PUT", token: all, json: change };
  assert.equal((await service.fetch("/v1/auth/local/update-password", put)).status, 403);
  await create(all, "cookies", toCookies(site.id));
});

test("a key limited to one project neither sees nor creates anything else", async () => {
  const site = await newSite();
  const other = await service.newProject(site.token);
  const organizationId = await create(site.token, "organizations", { name: "Shops" });
  const scopes = scopeNames.filter((name) => !/^(assets|billing|webhooks):/.test(name));
  const key = await keyFor(site.token, scopes, { projectId: site.id });
  assert.equal(await statusOf(`/v1/vault/projects/${site.id}`, key), 200);
  assert.equal(await statusOf(`/v1/vault/cookies/${site.cookies}`, key), 200);
  await create(key, "cookies", toCookies(site.id));
  for (const path of [
    `/v1/vault/projects/${other.id}`,
    `/v1/vault/organizations/${organizationId}`,
    `/v1/app/consents/${other.id}`,
    `/v1/client/${other.id}/tokens`,
    `/v1/app/exports/${other.id}.csv`,
    `/v1/app/dossiers/${other.id}?sample=1`,
    `/v1/publish/projects/${other.id}/versions`,
  ])
    assert.equal(await statusOf(path, key), 404, path);
  assert.equal(await statusOf(`/v1/publish/jobs/${other.id}`, key, {}), 404);
  const listed = await service.fetch("/v1/vault/projects", { token: key });
  assert.deepEqual(
    listed.body.map((project: { id: string }) => project.id),
    [site.id],
  );
  assert.equal(listed.headers.get("x-total-count"), "1");
  assert.equal(await statusOf("/v1/vault/cookies", key, toCookies(other.id)), 422);
  const made = { websiteURL: "https://x.example", title: "Another" };
  assert.equal(await statusOf("/v1/vault/projects", key, made), 403);
  assert.equal(await statusOf("/v1/vault/organizations", key, { name: "Mine" }), 403);
});

test("a key stops working at its expiry, when it is revoked, and when its user loses the role", async (t) => {
  t.after(() => service.clock.reset());
  const site = await newSite();
  const expiresAt = new Date(service.clock.now().getTime() + 60_000).toISOString();
  const short = await keyFor(site.token, ["vault:read"], { expiresAt });
  const path = `/v1/vault/projects/${site.id}`;
  assert.equal(await statusOf(path, short), 200);
  const lasting = await keyFor(site.token, ["vault:read"]);
  service.clock.advance(61_000);
  assert.equal(await statusOf(path, short), 403);
  service.clock.advance(10 * 86_400_000);
  assert.equal(await statusOf(path, lasting), 200);
  // The last use is written after the response.
  const shown = await waitUntil(
    async () => {
      const { body: list } = await service.fetch(at, { token: site.token });
      return list.find(({ scopes }: { scopes: unknown }) => scopes !== null);
    },
    (key) => Date.parse(key.lastUsedAt) > Date.parse(key.createdAt) + 86_400_000,
  );
  const removed = await service.fetch(`${at}/${shown.id}`, { method: "DELETE", token: site.token });
  assert.equal(removed.status, 204);
  assert.equal(await statusOf(path, lasting), 403);
  assert.ok((await eventsOf(site.userId)).includes("key.revoked"));
  const guest = await service.newUser();
  const users = `${path}/users`;
  await service.fetch(users, { token: site.token, json: { userId: guest.id } });
  const theirs = await keyFor(guest.token, ["vault:read"]);
  assert.equal(await statusOf(path, theirs), 200);
  await service.fetch(`${users}/${guest.id}`, { method: "DELETE", token: site.token });
  assert.equal(await statusOf(path, theirs), 404);
});

test("DELETE tokens revokes all tokens of a kind, all others, or every one", async () => {
  const { token, email } = await service.newUser();
  const json = { username: email, password: "correct horse" };
  const { body: second } = await service.fetch("/v1/auth/local/signin", { json });
  const key = await keyFor(token, ["vault:read"]);
  const remove = (query: string): Promise<TestAnswer> =>
    service.fetch(at + query, { method: "DELETE", token });
  assert.equal((await remove("?kind=key")).status, 204);
  assert.deepEqual([(await getMe(key)).status, (await getMe(second.token)).status], [403, 200]);
  assert.equal((await remove("?except=current")).status, 204);
  assert.deepEqual([(await getMe(second.token)).status, (await getMe(token)).status], [403, 200]);
  assert.equal((await remove("")).status, 204);
  assert.equal((await getMe(token)).status, 403);
});

test("POST tokens rejects invalid scopes, expiries and projects, and more than 100 keys", async () => {
  const { token } = await service.newUser();
  const stranger = await service.newOwner();
  const cases: [Record<string, unknown>, number, string][] = [
    [{ scopes: [] }, 400, "/scopes"],
    [{ scopes: ["everything"] }, 400, "/scopes/0"],
    [{ scopes: ["vault:read", "vault:read"] }, 400, "/scopes"],
    [{ scopes: ["vault:read"], expiresAt: "2020-01-01T00:00:00.000Z" }, 400, "/expiresAt"],
    [{ scopes: ["vault:read"], projectId: stranger.project.id }, 422, "/projectId"],
    [{ scopes: ["assets:read"], projectId: stranger.project.id }, 400, "/scopes"],
    [{}, 400, "/scopes"],
  ];
  for (const [fields, status, path] of cases) {
    const answer = await newKey(token, fields);
    assert.deepEqual([answer.status, faultPaths(answer)[0]], [status, path]);
  }
  for (let i = 0; i < 100; i += 1) await keyFor(token, ["vault:read"]);
  assert.equal((await newKey(token, { scopes: ["vault:read"] })).status, 409);
});

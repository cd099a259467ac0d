import assert from "node:assert/strict";
import { after, test } from "node:test";
import { service } from "../harness.ts";
import { getMe, password, signIn, signUp, unique } from "../interface/accounts.ts";
import { linkOf, tokenOf, waitForMail } from "../interface/mails.ts";
import { Browser, codeOf, openTestProvider } from "../interface/provider.ts";
import { openSigning } from "../interface/signing.ts";
import {
  collect,
  create,
  newSite,
  publish,
  publishAsIs,
  share,
  toCookies,
} from "../interface/site.ts";

const newEmail = (): string => `guest-${unique()}@example.org`;

test("an invited colleague signs up from the mail and publishes; a viewer may not", async () => {
  const site = await newSite();
  const email = newEmail();
  const data = { collection: "projects", id: site.id };
  const invited = await service.fetch("/v1/auth/invitations", {
    token: site.token,
    json: { email, displayName: "Grace", role: "editor", data },
  });
  assert.equal(invited.status, 200);
  const invitationToken = linkOf(await waitForMail(email, /You are invited/)).searchParams.get(
    "token",
  );
  assert.equal(invitationToken, invited.body.invitationToken.value);
  const joined = await signUp({ email, password, invitationToken });
  assert.equal(joined.status, 200);
  const editor = joined.body.token;
  await create(editor, "cookies", toCookies(site.id, { title: "Mine" }));
  await publishAsIs({ ...site, token: editor });
  const viewer = await share(site, "viewer");
  const read = await service.fetch(`/v1/vault/projects/${site.id}`, { token: viewer });
  assert.equal(read.status, 200);
  const publishing = { method: "POST", token: viewer };
  const refused = await service.fetch(`/v1/publish/jobs/${site.id}`, publishing);
  assert.equal(refused.status, 403);
  const trail = await service.fetch(
    `/v1/vault/audit?projectId=${site.id}&event=publish.requested`,
    {
      token: site.token,
    },
  );
  assert.equal(trail.body.items[0].actor.email, email, "the owner's audit trail names the editor");
});

test("a password reset by mail signs out all other sessions", async () => {
  const { email, token, id } = await service.newUser();
  const asked = await service.fetch("/v1/auth/local/reset-password-token", { json: { email } });
  assert.deepEqual(asked.body, { success: true });
  const mailed = tokenOf(await waitForMail(email, /new password/));
  const json = { token: mailed, password: "battery staple" };
  const reset = await service.fetch("/v1/auth/local/reset-password", { json });
  assert.equal((await getMe(reset.body.token)).body.id, id);
  assert.equal((await getMe(token)).status, 403);
  assert.equal((await signIn(email)).status, 401);
  assert.equal((await signIn(email, "battery staple")).status, 200);
});

test("a user signs in by a provider, adds another, and removes the first", async () => {
  const issuer = await openTestProvider();
  after(() => issuer[Symbol.asyncDispose]());
  const client = { issuer: issuer.issuer, clientId: "avow", clientSecret: "s3cret-of-the-journey" };
  const avow = await openSigning({ company: client, other: client });
  after(() => avow[Symbol.asyncDispose]());
  const signInBy = async (provider: string, token?: string): Promise<string> => {
    const signedIn = await new Browser(avow.url).signIn(
      provider,
      token === undefined ? {} : { token },
    );
    const { status, body } = await avow.fetch("/v1/auth/exchange", {
      json: { code: codeOf(signedIn) },
      ...(token === undefined ? {} : { token }),
    });
    assert.equal(status, 200, JSON.stringify(body));
    return body.token;
  };
  issuer.become({ sub: unique(), email: newEmail(), email_verified: true, name: "Ada" });
  const first = await signInBy("company");
  const { body: me } = await avow.getMe(first);
  await signInBy("other", first);
  const { signInMethods } = (await avow.getMe(first)).body;
  const named = (name: string) =>
    signInMethods.find(({ provider }: { provider: string }) => provider === name).id;
  const remove = (id: string) =>
    avow.fetch(`/v1/auth/identities/${id}`, { method: "DELETE", token: first });
  assert.equal((await remove(named("company"))).status, 204);
  assert.equal((await avow.getMe(await signInBy("other"))).body.id, me.id, "the same person");
  assert.equal((await remove(named("other"))).status, 409, "the last one cannot be removed");
});

test("a server collects with a collect-only key, and cannot read what it sent", async () => {
  const site = await newSite();
  await publish(site);
  const made = await service.fetch("/v1/auth/tokens", {
    token: site.token,
    json: { label: "shop", scopes: ["consents:write"], projectId: site.id },
  });
  assert.equal(made.status, 201);
  const headers = { authorization: `Bearer ${made.body.token}` };
  const sent = await collect(site, "cookies", site.cookies, { accept: true }, headers);
  assert.deepEqual([sent.status, sent.body.grade], [201, "server"]);
  for (const path of [`/v1/app/consents/${site.id}`, `/v1/vault/projects/${site.id}`])
    assert.equal((await service.fetch(path, { headers })).status, 403, path);
  const revoking = { method: "DELETE", token: site.token };
  assert.equal((await service.fetch(`/v1/auth/tokens/${made.body.id}`, revoking)).status, 204);
  assert.equal(
    (await collect(site, "cookies", site.cookies, { accept: false }, headers)).status,
    403,
  );
});

import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import { type TestAnswer, service } from "../harness.ts";
import { faultPaths, password, signIn, signUp, unique } from "./accounts.ts";
import { Browser, codeOf, openTestProvider } from "./provider.ts";
import { linkOf, tokenOf, waitForMail } from "./mails.ts";
import { openSigning } from "./signing.ts";

const { fetch, newOwner } = service;
const at = "/v1/auth/invitations";

interface Owner {
  token: string;
  project: { id: string };
}

const invite = (owner: Owner, json: object): Promise<TestAnswer> =>
  fetch(at, {
    token: owner.token,
    json: { data: { collection: "projects", id: owner.project.id }, ...json },
  });

/** Invites an address by a bound invitation; returns its token. */
async function inviteBound(owner: Owner, email: string): Promise<string> {
  const { status, body } = await invite(owner, { email, boundToAddress: true });
  assert.deepEqual([status, body.boundToAddress], [200, true], JSON.stringify(body));
  return body.invitationToken.value;
}

const accept = (invitation: string, token: string): Promise<TestAnswer> =>
  fetch(`${at}/${invitation}`, { method: "POST", token });

async function confirm(email: string): Promise<void> {
  const token = tokenOf(await waitForMail(email, /Confirm your/));
  assert.equal((await fetch("/account/confirm", { form: { token } })).status, 200);
}

const mayRead = async (owner: Owner, token: string): Promise<boolean> =>
  (await fetch(`/v1/vault/projects/${owner.project.id}`, { token })).status === 200;

describe("an invitation that is bound to its address", () => {
  it("is accepted by the account that has confirmed the address, whatever its case, and by no other", async () => {
    const owner = await newOwner();
    const [invited, other] = [await service.newUser(), await service.newUser()];
    const token = await inviteBound(owner, invited.email.toUpperCase());
    await confirm(other.email);
    const refused = await accept(token, other.token);
    assert.equal(refused.status, 403);
    assert.equal(
      refused.body.detail,
      "This invitation is for the address U…@E….ORG only. Sign in with the account that has it.",
    );
    assert.ok(!JSON.stringify(refused.body).toLowerCase().includes(invited.email));
    const early = await accept(token, invited.token);
    assert.equal(early.status, 403);
    assert.match(early.body.detail, /Confirm your e-mail address, then accept it/);
    assert.equal(await mayRead(owner, invited.token), false);
    await confirm(invited.email);
    const accepted = await accept(token, invited.token);
    assert.equal(accepted.status, 200, JSON.stringify(accepted.body));
    assert.equal(await mayRead(owner, invited.token), true);
    assert.equal(await mayRead(owner, other.token), false);
    assert.equal((await accept(token, invited.token)).status, 404, "it works once");
  });

  it("shows holders of its token a hint of the address only, and the owners all of it", async () => {
    const owner = await newOwner();
    const email = `guest-${unique()}@mail.example.org`;
    const token = await inviteBound(owner, email);
    const shown = await fetch(`${at}/${token}`);
    const { email: address, addressHint, boundToAddress } = shown.body;
    assert.deepEqual([address, addressHint, boundToAddress], [null, "g…@m….org", true]);
    assert.ok(!JSON.stringify(shown.body).includes(email));
    const page = await fetch(`/account/invitation?token=${token}`);
    assert.equal(page.status, 200);
    assert.ok(page.body.includes("g…@m….org") && !page.body.includes(email), page.body);
    const query = `collection=projects&id=${owner.project.id}`;
    const [item] = (await fetch(`${at}?${query}`, { token: owner.token })).body;
    assert.deepEqual([item.email, item.boundToAddress], [email, true]);
  });

  it("lets its address sign up, and no other, but is accepted only after the confirmation", async () => {
    const owner = await newOwner();
    const email = `guest-${unique()}@example.org`;
    const token = await inviteBound(owner, email);
    const link = linkOf(await waitForMail(email, /You are invited/));
    assert.equal(link.searchParams.get("token"), token);
    const stranger = `stranger-${unique()}@example.org`;
    const refused = await signUp({ email: stranger, password, invitationToken: token });
    assert.deepEqual([refused.status, faultPaths(refused)], [422, ["/invitationToken"]]);
    assert.match(refused.body.detail, /is bound to another address/);
    assert.equal((await signIn(stranger)).status, 401, "a rejected sign-up stores nothing");
    const joined = await signUp({ email, password, invitationToken: token });
    assert.equal(joined.status, 200, JSON.stringify(joined.body));
    assert.equal(await mayRead(owner, joined.body.token), false);
    assert.equal((await accept(token, joined.body.token)).status, 403);
    await confirm(email);
    assert.equal((await accept(token, joined.body.token)).status, 200);
  });

  it("can be accepted on the page without scripts, after a sign-up there and the confirmation", async () => {
    const owner = await newOwner();
    const email = `guest-${unique()}@example.org`;
    const token = await inviteBound(owner, email);
    const post = (how: string) =>
      fetch("/account/invitation", { form: { token, email, password, do: how } });
    const created = await post("signup");
    assert.match(created.body, /Confirm your e-mail address by the link/);
    const early = await post("signin");
    assert.equal(early.status, 403);
    assert.match(early.body, /your address is not confirmed yet/);
    await confirm(email);
    assert.match((await post("signin")).body, /You have accepted the invitation/);
    assert.equal(await mayRead(owner, (await signIn(email)).body.token), true);
  });
});

describe("an invitation without a choice", () => {
  it("can be accepted by every holder of its token where everybody can sign up", async () => {
    const owner = await newOwner();
    const email = `guest-${unique()}@example.org`;
    const { body } = await invite(owner, { email });
    assert.equal(body.boundToAddress, false);
    const shown = await fetch(`${at}/${body.invitationToken.value}`);
    assert.deepEqual([shown.body.email, shown.body.boundToAddress], [email, false]);
    const other = await service.newUser();
    assert.equal((await accept(body.invitationToken.value, other.token)).status, 200);
  });

  it("is bound where an organization has its own sign-in, and accepted with an address that it has confirmed", async () => {
    const issuer = await openTestProvider();
    after(() => issuer[Symbol.asyncDispose]());
    const client = { clientId: "avow", clientSecret: "s3cret-of-the-client" };
    const avow = await openSigning({ company: { issuer: issuer.issuer, ...client } });
    after(() => avow[Symbol.asyncDispose]());
    const providers = await avow.fetch("/v1/auth/providers");
    assert.equal(providers.body[0].ofOrganization, true);
    const owner = await avow.newUser();
    const project = await avow.fetch("/v1/vault/projects", {
      token: owner.token,
      json: { websiteURL: "https://shop.example", title: "Shop" },
    });
    const data = { collection: "projects", id: project.body.id };
    const email = `p-${unique()}@example.org`;
    const send = (more: object) =>
      avow.fetch(at, { token: owner.token, json: { email, data, ...more } });
    assert.equal((await send({ boundToAddress: false })).body.boundToAddress, false);
    const { body } = await send({});
    assert.equal(body.boundToAddress, true);
    issuer.become({ sub: unique(), email, email_verified: true, name: "Ada" });
    const code = codeOf(await new Browser(avow.url).signIn("company"));
    const session = await avow.fetch("/v1/auth/exchange", { json: { code } });
    const accepted = await avow.fetch(`${at}/${body.invitationToken.value}`, {
      method: "POST",
      token: session.body.token,
    });
    assert.equal(accepted.status, 200, JSON.stringify(accepted.body));
  });
});

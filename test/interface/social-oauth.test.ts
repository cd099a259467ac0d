import assert from "node:assert/strict";
import { after, test } from "node:test";
import { type Member, openGithub } from "../stand-ins/github.ts";
import { unique } from "./accounts.ts";
import { Browser, codeOf } from "./provider.ts";
import { openSigning } from "./signing.ts";

let member: Member = { id: 1, login: "nobody", email: "", isVerified: false };
const github = await openGithub(() => member);
after(() => github[Symbol.asyncDispose]());
const settings = { clientId: "avow", clientSecret: "secret", url: github.url, apiUrl: github.url };
const avow = await openSigning({ github: settings, facebook: settings });
after(() => avow[Symbol.asyncDispose]());

async function signIn(provider: string): Promise<Record<string, unknown>> {
  const code = codeOf(await new Browser(avow.url).signIn(provider));
  const { status, body } = await avow.fetch("/v1/auth/exchange", { json: { code } });
  assert.equal(status, 200, JSON.stringify(body));
  return (await avow.getMe(body.token)).body;
}

function newMember(isVerified: boolean): Member {
  const login = unique();
  return { id: Number.parseInt(login, 16), login, email: `${login}@example.org`, isVerified };
}

test("GitHub users are identified by their number, with the address that they confirmed there", async () => {
  member = newMember(true);
  const me = await signIn("github");
  assert.deepEqual(
    [me["email"], me["displayName"], me["emailConfirmed"]],
    [member.email, member.login, true],
  );
  member = { ...member, login: "renamed", email: `${unique()}@example.org` };
  assert.equal((await signIn("github"))["id"], me["id"], "a new name is the same person");
  member = newMember(false);
  assert.equal((await signIn("github"))["emailConfirmed"], false);
});

test("addresses from Facebook are unconfirmed, since it does not say", async () => {
  member = newMember(true);
  const me = await signIn("facebook");
  assert.deepEqual([me["email"], me["emailConfirmed"]], [member.email, false]);
});

test("the same number at two providers is two people", async () => {
  member = newMember(true);
  const first = await signIn("github");
  member = { ...member, email: `${unique()}@example.org` };
  assert.notEqual((await signIn("facebook"))["id"], first["id"]);
});

test("an exchange returns 400 for a code that the provider does not know, answered with 200 as GitHub does", async () => {
  const browser = new Browser(avow.url);
  const begun = await browser.open("/v1/auth/github?redirectURI=https%3A%2F%2Fadmin.example%2F");
  const state = new URL(begun.headers.get("location") ?? "").searchParams.get("state");
  const answer = await browser.open(`/v1/auth/github/callback?state=${state}&code=guessed`);
  assert.equal(answer.status, 400);
});

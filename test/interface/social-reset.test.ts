import assert from "node:assert/strict";
import { after, test } from "node:test";
import type { TestAnswer } from "../harness.ts";
import { password, unique } from "./accounts.ts";
import { listMails, tokenOf, waitForMail } from "./mails.ts";
import { Browser, codeOf, openTestProvider } from "./provider.ts";
import { openSigning } from "./signing.ts";

const issuer = await openTestProvider();
after(() => issuer[Symbol.asyncDispose]());
const client = { issuer: issuer.issuer, clientId: "avow", clientSecret: "s3cret-of-the-client" };
const avow = await openSigning({ company: client, other: client });
after(() => avow[Symbol.asyncDispose]());

const newPerson = (more: object = {}) => {
  const id = unique();
  return { sub: id, email: `p-${id}@example.org`, email_verified: true, name: "Ada", ...more };
};
type Person = ReturnType<typeof newPerson>;

const exchange = (code: string, token?: string): Promise<TestAnswer> =>
  avow.fetch("/v1/auth/exchange", { json: { code }, ...(token === undefined ? {} : { token }) });

async function signInAs(person: Person): Promise<string> {
  issuer.become(person);
  const { status, body } = await exchange(codeOf(await new Browser(avow.url).signIn("company")));
  assert.equal(status, 200, JSON.stringify(body));
  return body.token;
}

/** A code that adds a person's identity to an account, once its user exchanges it. */
async function newLinkCode(user: { token: string }, person: Person): Promise<string> {
  issuer.become(person);
  return codeOf(await new Browser(avow.url).signIn("company", { token: user.token }));
}

const providersOf = async (token: string): Promise<string[]> =>
  (await avow.getMe(token)).body.signInMethods.map(
    ({ provider }: { provider: string }) => provider,
  );

async function reset(email: string): Promise<string> {
  await avow.fetch("/v1/auth/local/reset-password-token", { json: { email } });
  const token = tokenOf(await waitForMail(email, /Choose a new password/));
  const json = { token, password: `${password} of their own` };
  const { status, body } = await avow.fetch("/v1/auth/local/reset-password", { json });
  assert.equal(status, 200, JSON.stringify(body));
  return body.token;
}

for (const isConfirmed of [false, true])
  test(`a reset by the address's owner removes identities that a stranger added to an account of ${isConfirmed ? "a confirmed" : "an unconfirmed"} address`, async () => {
    const stranger = newPerson();
    const user = await avow.newUser();
    const linked = await exchange(await newLinkCode(user, stranger), user.token);
    assert.equal(linked.status, 200);
    const mail = await waitForMail(user.email, /sign-in method was added/);
    assert.match(mail.text ?? "", /sign in to your account with company/);
    if (isConfirmed) {
      const confirm = tokenOf(await waitForMail(user.email, /Confirm/));
      await avow.fetch(`/v1/auth/local/validate?token=${confirm}`);
      assert.equal((await avow.getMe(user.token)).body.emailConfirmed, true);
    }
    const token = await reset(user.email);
    assert.deepEqual(await providersOf(token), ["local"]);
    const changed = await waitForMail(user.email, /password was changed/);
    assert.match(changed.text ?? "", /were removed.*company/);
    const back = await signInAs(stranger);
    assert.notEqual((await avow.getMe(back)).body.id, user.id);
  });

test("a reset keeps the identity that created the account, where its provider vouched for the address", async () => {
  for (const vouched of [true, false]) {
    const person = newPerson({ email_verified: vouched });
    await signInAs(person);
    const left = await providersOf(await reset(person.email));
    assert.deepEqual(left.toSorted(), vouched ? ["company", "local"] : ["local"]);
  }
});

test("a pending code adds no identity after a reset", async () => {
  const user = await avow.newUser();
  const code = await newLinkCode(user, newPerson());
  const token = await reset(user.email);
  assert.equal((await exchange(code, user.token)).status, 403, "the session was revoked");
  assert.equal((await exchange(code, token)).status, 400, "so was the code");
  assert.deepEqual(await providersOf(token), ["local"]);
});

test("removing a way of signing in sends its user a mail in their language", async () => {
  const user = await avow.newUser();
  const linked = await exchange(await newLinkCode(user, newPerson()), user.token);
  assert.equal(linked.status, 200);
  const { signInMethods } = (await avow.getMe(user.token)).body;
  const idOf = (name: string): string =>
    signInMethods.find(({ provider }: { provider: string }) => provider === name).id;
  const remove = async (name: string, headers: Record<string, string> = {}): Promise<number> => {
    const asked = { method: "DELETE", token: user.token, headers };
    return (await avow.fetch(`/v1/auth/identities/${idOf(name)}`, asked)).status;
  };
  assert.equal(await remove("company", { "accept-language": "fr-CA, en;q=0.5" }), 204);
  const french = await waitForMail(user.email, /moyen de connexion a été retiré/);
  assert.match(french.text ?? "", /ne pouvez plus vous connecter à votre compte avec company/);
  assert.equal(await remove("local"), 409, "the last one stays");
  const again = await exchange(await newLinkCode(user, newPerson()), user.token);
  assert.equal(again.status, 200);
  assert.equal(await remove("local"), 204);
  const english = await waitForMail(user.email, /A sign-in method was removed/);
  assert.match(english.text ?? "", /no longer sign in to your account with its password/);
  const mails = await listMails(user.email);
  const notices = mails.filter(({ subject }) => /removed|retiré/.test(subject ?? ""));
  assert.equal(notices.length, 2, "a rejected request sends no mail");
});

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { openTestDatabase } from "../database.ts";
import { service } from "../harness.ts";
import { type Member, openGithub } from "../stand-ins/github.ts";
import { unique } from "./accounts.ts";
import { openAnotherService } from "./another-service.ts";
import { Browser, codeOf, openTestProvider } from "./provider.ts";

const client = { clientId: "avow", clientSecret: "secret" };

/** Signs in on one database with changing settings of the provider `name`. */
async function openSignIns(t: TestContext, name: string) {
  const database = await openTestDatabase();
  t.after(() => database[Symbol.asyncDispose]());
  return {
    signIn: async (settings: object): Promise<{ id: string }> => {
      await using avow = await openAnotherService(database.url, {
        CORS_ORIGINS: "https://admin.example",
        SIGN_IN_PROVIDERS: JSON.stringify({ [name]: { ...client, ...settings } }),
      });
      const code = codeOf(await new Browser(avow.url).signIn(name));
      const session = await service.fetch(`${avow.url}/v1/auth/exchange`, { json: { code } });
      assert.equal(session.status, 200, JSON.stringify(session.body));
      const { token } = session.body;
      return (await service.fetch(`${avow.url}/v1/auth/me`, { token })).body;
    },
  };
}

test("a sign-in matches no account by subject after the provider's name was given to another issuer", async (t) => {
  await using first = await openTestProvider();
  await using second = await openTestProvider();
  const sub = unique();
  const become = () => ({ sub, email: `${unique()}@example.org`, email_verified: true });
  const { signIn } = await openSignIns(t, "company");
  first.become(become());
  const known = await signIn({ issuer: first.issuer });
  second.become(become());
  assert.notEqual((await signIn({ issuer: second.issuer })).id, known.id);
  assert.equal((await signIn({ issuer: first.issuer })).id, known.id);
});

test("a sign-in matches no GitHub number from another GitHub server", async (t) => {
  const newMember = (): Member => {
    const login = unique();
    return { id: 1, login, email: `${login}@example.org`, isVerified: true };
  };
  const [ada, bob] = [newMember(), newMember()];
  await using first = await openGithub(() => ada);
  await using second = await openGithub(() => bob);
  const { signIn } = await openSignIns(t, "github");
  const known = await signIn({ url: first.url, apiUrl: first.url });
  assert.notEqual((await signIn({ url: second.url, apiUrl: second.url })).id, known.id);
  assert.equal((await signIn({ url: first.url, apiUrl: first.url })).id, known.id);
});

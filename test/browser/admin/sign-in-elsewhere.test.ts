import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { after, test } from "node:test";
import { Browser, codeOf, openTestProvider } from "../../interface/provider.ts";
import { openSigning } from "../../interface/signing.ts";
import { openPage } from "../widget/browser.ts";

const issuer = await openTestProvider();
after(() => issuer[Symbol.asyncDispose]());
const avow = await openSigning({
  company: {
    issuer: issuer.issuer,
    title: "The company",
    clientId: "avow",
    clientSecret: "s3cret",
  },
});
after(() => avow[Symbol.asyncDispose]());

const become = (name: string): void => {
  const sub = randomBytes(6).toString("hex");
  issuer.become({ sub, email: `${sub}@example.org`, email_verified: true, name });
};

test("rejects a sign-in link from another browser, and accepts the user's own", async () => {
  become("The attacker");
  const redirectURI = `${avow.url}/admin/signin/finish`;
  const code = codeOf(await new Browser(avow.url).signIn("company", { redirectURI }));
  await using visit = await openPage();
  const { page } = visit;
  await page.goto(`${redirectURI}?code=${encodeURIComponent(code)}`);
  await page.waitForURL(/\/admin\/signin\?error=1$/);
  const cookies = await page.context().cookies();
  assert.deepEqual(
    cookies.map(({ name }) => name).filter((name) => name.includes("session")),
    [],
  );
  become("Ada");
  await page.getByRole("link", { name: /The company/ }).click();
  await page.getByRole("heading", { level: 1, name: /^Projects$/ }).waitFor();
  const name = await page.evaluate(async () => {
    const answer = await fetch("/v1/auth/me");
    return ((await answer.json()) as { displayName: string }).displayName;
  });
  assert.equal(name, "Ada");
});

import assert from "node:assert/strict";
import { after, before, beforeEach, describe, it } from "node:test";
import type { Page } from "playwright-core";
import { pino } from "pino";
import type { Db } from "../../../packages/server/platform/db/db.ts";
import { openDatabase } from "../../../packages/server/platform/db/open.ts";
import { openTestDatabase } from "../../database.ts";
import { poll } from "../../poll.ts";
import { operatorToken, service } from "../../harness.ts";
import { newUserBy } from "../../interface/accounts.ts";
import { type AnotherService, openAnotherService } from "../../interface/another-service.ts";
import { openTestProvider } from "../../interface/provider.ts";
import { findViolations } from "../widget/axe.ts";
import { skip } from "../widget/browser.ts";
import { listFaults, newEmail, openAdmin, openAs, password, signIn } from "./visits.ts";

const MINUTE_MS = 60_000;
const heading = (page: Page, name: string) => page.getByRole("heading", { level: 1, name });

describe("the operators of an installation", { skip }, () => {
  const opened = new AsyncDisposableStack();
  let node: AnotherService;
  let db: Db;
  let issuer: Awaited<ReturnType<typeof openTestProvider>>;
  const send: typeof service.fetch = (path, request) => service.fetch(node.url + path, request);
  const setMode = async (mode: string): Promise<void> => {
    const put = { method: "PUT", token: operatorToken, json: { mode } };
    assert.equal((await send("/v1/auth/signups", put)).status, 200);
  };
  const open = (place: string, locale = "en") => openAdmin(place, { locale }, node.url);

  before(async () => {
    issuer = opened.use(await openTestProvider());
    const database = opened.use(await openTestDatabase());
    const company = { issuer: issuer.issuer, title: "Company", clientId: "a", clientSecret: "b" };
    const log = pino({ level: "silent" });
    db = opened.use(openDatabase({ url: database.url, poolMax: 1, queueMax: 10, log }));
    node = opened.use(
      await openAnotherService(database.url, {
        OPERATOR_TOKEN: operatorToken,
        SIGN_IN_PROVIDERS: JSON.stringify({ company }),
      }),
    );
  });
  beforeEach(() => setMode("open"));
  after(() => opened.disposeAsync());

  it("the link of the start makes a new account the operator, once", async () => {
    const [first = "", second = ""] = [
      await node.createFirstClaim(),
      await node.createFirstClaim(),
    ];
    await setMode("closed");
    await using visit = await open(`/claim#${first}`);
    const { page } = visit;
    await heading(page, "Operate this service").waitFor();
    assert.equal(new URL(page.url()).hash, "", "no token stays in the history");
    await page.getByLabel("E-mail address").fill(newEmail());
    const field = page.getByLabel("Password");
    await field.fill("7 chars");
    await page.getByRole("button", { name: "Create the operator’s account" }).click();
    await page.getByText("Choose at least 8 characters.").waitFor();
    assert.deepEqual(await findViolations(page), []);
    await field.fill(password);
    await page.getByRole("button", { name: "Create the operator’s account" }).click();
    await heading(page, "Instance").waitFor();
    await page.getByRole("link", { name: "Instance" }).waitFor();
    const welcome = page.getByRole("heading", { name: "Welcome. You operate this installation" });
    await welcome.waitFor();
    assert.deepEqual(await findViolations(page), []);
    await page.getByRole("button", { name: "Got it" }).click();
    await page.reload();
    await heading(page, "Instance").waitFor();
    assert.equal(await welcome.count(), 0, "a dismissed welcome does not return");
    await using late = await open(`/claim#${second}`, "fr");
    await late.page.getByLabel("Adresse e-mail").fill(newEmail());
    await late.page.getByLabel("Mot de passe").fill(password);
    await late.page.getByRole("button", { name: "Créer le compte de l’opérateur" }).click();
    await heading(late.page, "Ce lien ne fonctionne plus").waitFor();
    assert.deepEqual([...listFaults(visit), ...listFaults(late)], []);
  });

  it("an existing account claims after its sign-in, with a password or a provider", async () => {
    await removeOperators();
    const user = await newUserBy(send);
    await using visit = await open(`/claim#${await node.createFirstClaim()}`);
    const { page } = visit;
    await page.getByRole("button", { name: "I already have an account" }).click();
    await page.getByLabel("E-mail address").fill(user.email);
    await page.getByLabel("Password").fill(password);
    await page.getByRole("button", { name: "Sign in and become operator" }).click();
    await heading(page, "Instance").waitFor();
    await removeOperators();
    issuer.become({ sub: "camille", email: "camille@example.org", name: "Camille" });
    await using second = await open(`/claim#${await node.createFirstClaim()}`);
    await second.page.getByRole("link", { name: "Continue with Company" }).click();
    await heading(second.page, "Instance").waitFor();
    await second.page.getByText("camille@example.org").waitFor();
    assert.deepEqual([...listFaults(visit), ...listFaults(second)], []);
  });

  it("an operator closes sign-ups, adds another operator and removes them", async (t) => {
    t.after(() => service.clock.reset());
    const [operator, other] = [await newUserBy(send), await newUserBy(send)];
    const json = { userId: operator.id };
    await send("/v1/auth/operators", { token: operatorToken, json });
    await using visit = await openAs(operator, "/instance", {}, node.url);
    const { page } = visit;
    await page.getByRole("radio", { name: /^Open/, checked: true }).focus();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    service.clock.advance(16 * MINUTE_MS);
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Password").fill(password);
    await page.keyboard.press("Enter");
    await page.getByText("Saved. It applies at once.").waitFor();
    assert.equal((await send("/v1/auth/signups")).body.mode, "closed");
    await page.getByLabel("E-mail address of the account").fill("nobody@example.org");
    await page.getByRole("button", { name: "Add operator" }).click();
    await page.getByText("No account has confirmed this address.").waitFor();
    await page.getByLabel("E-mail address of the account").fill(other.email);
    await page.getByRole("button", { name: "Add operator" }).click();
    const row = page.getByRole("row", { name: other.email });
    await row.getByRole("button", { name: "Remove" }).click();
    await dialog.getByRole("button", { name: "Remove" }).click();
    await row.waitFor({ state: "detached" });
    await visit.open("/account");
    await page.getByRole("link", { name: "Instance" }).waitFor();
    assert.deepEqual(listFaults(visit), []);
  });

  it("an operator sees the state of the installation, and what needs attention", async (t) => {
    t.after(() => service.clock.reset());
    const operator = await newUserBy(send);
    const json = { userId: operator.id };
    await send("/v1/auth/operators", { token: operatorToken, json });
    const webhook = { url: "http://127.0.0.1:9/hook", events: ["project.updated"] };
    const created = await send("/v1/webhooks", { token: operator.token, json: webhook });
    await using visit = await openAs(operator, "/instance", {}, node.url);
    const { page } = visit;
    const card = page.locator("section", { has: page.getByRole("heading", { name: "State" }) });
    const fact = (name: string) => card.locator("dl > div", { hasText: name });
    await fact("Version")
      .getByText(/Node \d+\.\d+\.\d+ · PostgreSQL \d+/)
      .waitFor();
    await fact("Migrations").getByText("Current").waitFor();
    await card.getByText("1 thing to look at").waitFor();
    await fact("Free disk space").getByText(/GB|MB/).waitFor();
    await fact("Transparency log").getByText("All consents are in the log.").waitFor();
    await fact("Mails").getByText("Written to files").waitFor();
    await fact("Last backup").getByText("none", { exact: true }).waitFor();
    await fact("Webhooks").getByText("Deliveries that wait: 0").waitFor();
    const tried = await send(`/v1/webhooks/${created.body.id}/test`, {
      method: "POST",
      token: operator.token,
    });
    assert.ok(tried.status < 300);
    await poll({
      read: async () =>
        (await send("/v1/instance/status", { token: operatorToken })).body.webhooks.failing,
      isRight: (failing) => failing === 1,
      waitMs: 10_000,
      toMessage: (failing) => `${failing} webhooks fail`,
    });
    await card.getByRole("button", { name: "Refresh" }).click();
    await fact("Webhooks").getByText("1 failing").waitFor();
    assert.deepEqual(await findViolations(page), []);
    assert.deepEqual(listFaults(visit), []);
  });

  it("other users see neither the entry nor the page", async () => {
    await using visit = await openAs(await newUserBy(send), "/instance", {}, node.url);
    await heading(visit.page, "Page not found").waitFor();
    assert.equal(await visit.page.getByRole("link", { name: "Instance" }).count(), 0);
  });

  it("the screens follow the mode of sign-ups, and an invitation signs a new person up", async () => {
    const owner = await newUserBy(send);
    const project = await service.fetch(`${node.url}/v1/vault/projects`, {
      token: owner.token,
      json: { websiteURL: "https://shop.example", title: "Shop" },
    });
    const data = { collection: "projects", id: project.body.id };
    const invite = async (): Promise<string> => {
      // The node has the sign-in of one organization, which binds invitations by default.
      const json = { email: newEmail(), data, boundToAddress: false };
      const sent = { token: owner.token, json };
      return (await send("/v1/auth/invitations", sent)).body.invitationToken.value;
    };
    await setMode("closed");
    await using visit = await open("/signin");
    const { page } = visit;
    await page.getByText("This service creates no new accounts.").waitFor();
    assert.equal(await page.getByRole("link", { name: "Create one" }).count(), 0);
    await visit.open("/signup");
    await page.getByText("This service creates no new accounts.").waitFor();
    assert.equal(await page.getByLabel("Password").count(), 0);
    await visit.open(`/invitation?token=${await invite()}`);
    await page.getByRole("button", { name: "Sign in and accept" }).waitFor();
    assert.equal(await page.getByRole("button", { name: "I have no account yet" }).count(), 0);
    assert.deepEqual(await findViolations(page), []);
    await setMode("invitation");
    await visit.open("/signup");
    await page.getByText("New accounts need an invitation.").waitFor();
    issuer.become({ sub: "lucie", email: "lucie@example.org", name: "Lucie" });
    await visit.open("/signin");
    await page.getByRole("link", { name: "Continue with Company" }).click();
    await heading(page, "No account was created").waitFor();
    await visit.open(`/invitation?token=${await invite()}`);
    await page.getByRole("link", { name: "Continue with Company" }).click();
    await page.getByRole("link", { name: "Shop", exact: true }).waitFor();
    await using joining = await open(`/invitation?token=${await invite()}`);
    await joining.page.getByLabel("Password").fill(password);
    await joining.page.getByRole("button", { name: "Create an account and accept" }).click();
    await heading(joining.page, "Shop").waitFor();
    await setMode("open");
    await using back = await open("/signin");
    await signIn(back.page, owner.email);
    await heading(back.page, "Projects").waitFor();
  });

  /** Leaves the installation without operators, as before its first claim. */
  async function removeOperators(): Promise<void> {
    await db.updateTable("users").set({ operator_at: null }).execute();
  }
});

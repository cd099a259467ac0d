import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { service } from "../../harness.ts";
import { linkOf, waitForMail } from "../../interface/mails.ts";
import { findViolations } from "../widget/axe.ts";
import { skip } from "../widget/browser.ts";
import { listFaults, newEmail, openAdmin, openAs, password, settle } from "./visits.ts";

const phone = { width: 390, height: 844 };

/** A project that is offered to an address, and the secret of the mailed link. */
async function newOffer() {
  const owner = await service.newUser();
  const { id } = await service.newProject(owner.token, { title: "Shop" });
  const email = newEmail();
  const path = `/v1/vault/projects/${id}/transfer`;
  const { status } = await service.fetch(path, { token: owner.token, json: { email } });
  assert.equal(status, 201);
  const link = linkOf(await waitForMail(email, /A project is offered to you/));
  return { id, token: link.searchParams.get("token") ?? "" };
}

describe("the transfer of a project in the admin app", { skip }, () => {
  it("a project is offered by mail, reviewed, accepted with a new account into a new organization, and leaves the old owner", async () => {
    const owner = await service.newUser();
    const { id } = await service.newProject(owner.token, { title: "Shop" });
    const email = newEmail();
    await using visit = await openAs(owner, `/projects/${id}/settings`);
    const { page } = visit;
    await page.getByRole("button", { name: "Offer project" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("Ends: the access of all members").waitFor();
    await dialog.getByLabel(/^E-mail address of the new owner/).fill("nobody");
    await dialog.getByRole("button", { name: "Send offer" }).click();
    await dialog.getByText("Enter an e-mail address, or the id of an organization.").waitFor();
    assert.deepEqual(await findViolations(page), []);
    await dialog.getByLabel(/^E-mail address of the new owner/).fill(email);
    await dialog.getByRole("button", { name: "Send offer" }).click();
    await page.getByText(`Offered to ${email} until`).waitFor();
    const link = linkOf(await waitForMail(email, /A project is offered to you/));
    const options = { colorScheme: "dark", viewport: phone } as const;
    await using recipient = await openAdmin(`/transfer${link.search}`, options);
    await recipient.page.getByText("offers you the project “Shop”").waitFor();
    assert.equal(new URL(recipient.page.url()).search, "", "the address has no token");
    await settle(recipient);
    assert.deepEqual(await findViolations(recipient.page), []);
    await recipient.page.getByLabel("E-mail address").fill(email);
    await recipient.page.getByLabel("Password").fill(password);
    await recipient.page.getByRole("button", { name: "Create account" }).click();
    await recipient.page.getByLabel("Name of the new organization").fill("Client Ltd");
    assert.deepEqual(await findViolations(recipient.page), []);
    await recipient.page.getByRole("button", { name: "Accept project" }).click();
    await recipient.page.getByText("The project is yours.").waitFor();
    assert.equal(new URL(recipient.page.url()).pathname, `/admin/projects/${id}`);
    const { status } = await service.fetch(`/v1/vault/projects/${id}`, { token: owner.token });
    assert.equal(status, 404);
    assert.deepEqual([...listFaults(visit), ...listFaults(recipient)], []);
  });

  it("is offered to an organization, declined in the list of projects, and revoked", async () => {
    const owner = await service.newUser();
    const { id } = await service.newProject(owner.token, { title: "Shop" });
    const client = await service.newUser();
    const json = { name: "Client Ltd" };
    const { body } = await service.fetch("/v1/vault/organizations", { token: client.token, json });
    const offer = async (): Promise<void> => {
      const to = { organizationId: body.id };
      const path = `/v1/vault/projects/${id}/transfer`;
      assert.equal((await service.fetch(path, { token: owner.token, json: to })).status, 201);
    };
    await offer();
    await using visit = await openAs(client, "/projects");
    await visit.page.getByRole("link", { name: "Review “Shop”" }).click();
    await visit.page.getByText("It goes to the organization “Client Ltd”.").waitFor();
    await visit.page.getByRole("button", { name: "Decline" }).click();
    await visit.page.getByText("The offer is declined.").waitFor();
    await offer();
    await using offering = await openAs(owner, `/projects/${id}/settings`);
    await offering.page.getByRole("button", { name: "Revoke offer" }).click();
    await offering.page.getByRole("button", { name: "Offer project" }).waitFor();
    await visit.open("/transfer?token=unknown");
    await visit.page.getByRole("heading", { name: "This offer is not valid" }).waitFor();
    assert.deepEqual([...listFaults(visit), ...listFaults(offering)], []);
  });

  it("offers owned organizations only, and keeps one that was created before a failure", async () => {
    const { id, token } = await newOffer();
    const client = await service.newUser();
    const agency = await service.newUser();
    const json = { name: "Agency" };
    const { body } = await service.fetch("/v1/vault/organizations", { token: agency.token, json });
    const users = `/v1/vault/organizations/${body.id}/users`;
    const member = { userId: client.id, roles: ["editor"] };
    await service.fetch(users, { token: agency.token, json: member });
    await using visit = await openAs(client, `/transfer?token=${token}`);
    const { page } = visit;
    const choice = page.getByLabel("Organization that gets it");
    await choice.waitFor();
    assert.deepEqual(await choice.locator("option").allTextContents(), ["A new organization"]);
    await page.getByLabel("Name of the new organization").fill("Client Ltd");
    const at = `**/v1/vault/transfers/${token}`;
    await page.route(at, (route) => route.abort());
    const submit = page.getByRole("button", { name: "Accept project" });
    await submit.click();
    await page.getByText("The service cannot be reached.").waitFor();
    assert.equal(await choice.locator("option:checked").textContent(), "Client Ltd");
    await page.unroute(at);
    await submit.click();
    await page.getByText("The project is yours.").waitFor();
    const owned = "/v1/vault/organizations?role=owner";
    const organizations = await service.fetch(owned, { token: client.token });
    assert.deepEqual(
      organizations.body.map(({ name }: { name: string }) => name),
      ["Client Ltd"],
    );
    assert.equal((await service.fetch(`/v1/vault/projects/${id}`, client)).status, 200);
  });

  it("is accepted once the address is confirmed, where only its owner may accept", async () => {
    const { token } = await newOffer();
    const client = await service.newUser();
    await using visit = await openAs(client, "/projects");
    const { page } = visit;
    let emailConfirmed = false;
    await page.route(`**/v1/vault/transfers/${token}`, async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...(await response.json()), boundToAddress: true } });
    });
    await page.route("**/v1/auth/me", async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...(await response.json()), emailConfirmed } });
    });
    await visit.open(`/transfer?token=${token}`);
    await page.getByText("Confirm your e-mail address first").waitFor();
    const submit = page.getByRole("button", { name: "Accept project" });
    await submit.waitFor();
    assert.ok(await submit.isDisabled());
    assert.deepEqual(await findViolations(page), []);
    emailConfirmed = true;
    await page.getByText("Confirm your e-mail address first").waitFor({ state: "detached" });
    assert.ok(await submit.isEnabled());
    assert.deepEqual(listFaults(visit), []);
  });
});

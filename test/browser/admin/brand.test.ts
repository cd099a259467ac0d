import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { service } from "../../harness.ts";
import { newPicture, uploadOne } from "../../interface/pictures.ts";
import { findViolations } from "../widget/axe.ts";
import { skip } from "../widget/browser.ts";
import { listFaults, openAdmin, openAs, settle } from "./visits.ts";

const phone = { width: 390, height: 844 };

describe("the brand of an organization in the admin app", { skip }, () => {
  it("is edited with a logo, its color is checked, and an invitation shows it", async () => {
    const owner = await service.newUser();
    const { token } = owner;
    const json = { name: "Agency" };
    const { body } = await service.fetch("/v1/vault/organizations", { token, json });
    const { id: logo } = await uploadOne(token, { bytes: await newPicture().png().toBuffer() });
    await using visit = await openAs(owner, `/organizations/${body.id}`);
    const { page } = visit;
    await page.getByLabel("Shown as").fill("Hearth & Clay");
    await page.getByLabel("Accent color").fill("#ffcc00");
    await page.getByRole("button", { name: "Save brand" }).click();
    await page.getByText(/choose a color that is readable on white/).waitFor();
    await page.getByLabel("Accent color").fill("#7a2e12");
    await page.getByLabel("Address for answers").fill("hello@hearth.example");
    await page.getByRole("button", { name: "Choose logo" }).click();
    await page.getByRole("dialog").locator(".file-tile").first().click();
    await page.getByRole("button", { name: "Remove logo" }).waitFor();
    await settle(visit);
    assert.deepEqual(await findViolations(page), []);
    await page.getByRole("button", { name: "Save brand" }).click();
    await page.getByText("The brand is saved.").waitFor();
    const organization = `/v1/vault/organizations/${body.id}`;
    const { body: saved } = await service.fetch(organization, { token });
    assert.deepEqual(saved.brand, {
      name: "Hearth & Clay",
      logo,
      color: "#7a2e12",
      replyTo: "hello@hearth.example",
    });
    const invited = {
      email: "invited@example.org",
      data: { collection: "organizations", id: body.id },
    };
    const { body: sent } = await service.fetch("/v1/auth/invitations", { token, json: invited });
    const options = { colorScheme: "dark", viewport: phone } as const;
    const place = `/invitation?token=${sent.invitationToken.value}`;
    await using guest = await openAdmin(place, options);
    await guest.page.getByText("Hearth & Clay").waitFor();
    await settle(guest);
    assert.deepEqual(await findViolations(guest.page), []);
    assert.deepEqual([...listFaults(visit), ...listFaults(guest)], []);
  });

  it("has a domain, which is checked, said to lead elsewhere, and removed", async () => {
    const owner = await service.newUser();
    const { token } = owner;
    const json = { name: "Agency", brand: { name: "Hearth & Clay" } };
    const { body } = await service.fetch("/v1/vault/organizations", { token, json });
    await using visit = await openAs(owner, `/organizations/${body.id}`);
    const { page } = visit;
    const card = page.locator(".card", { has: page.getByRole("heading", { name: "Domain" }) });
    await card.getByLabel("Host name").fill("https://agency.example/");
    await card.getByRole("button", { name: "Set and check" }).click();
    await card.getByText("Enter a host name, without https://").waitFor();
    await card.getByLabel("Host name").fill("private.avow.test");
    await card.getByRole("button", { name: "Set and check" }).click();
    await card
      .getByText(
        /Links do not start with private\.avow\.test yet: its address is not of the public internet\./,
      )
      .waitFor();
    await settle(visit);
    assert.deepEqual(await findViolations(page), []);
    await card.getByLabel("Host name").fill("Browser.avow.test");
    await card.getByRole("button", { name: "Check again" }).click();
    await card.getByText(/Links start with http:\/\/browser\.avow\.test:\d+\./).waitFor();
    await page.reload();
    await card.getByText(/Links start with/).waitFor();
    await card.getByRole("button", { name: "Remove" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
    await card.getByRole("button", { name: "Set and check" }).waitFor();
    const domain = `/v1/vault/organizations/${body.id}/domain`;
    assert.equal((await service.fetch(domain, { token })).status, 404);
    assert.deepEqual(listFaults(visit), []);
  });
});

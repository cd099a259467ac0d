import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Page } from "playwright-core";
import {
  change,
  newTemplate,
  newTemplateSite,
  only,
  publishSites,
  read,
} from "../../interface/template-sites.ts";
import { create } from "../../interface/site.ts";
import { service } from "../../harness.ts";
import { findViolations } from "../widget/axe.ts";
import { skip } from "../widget/browser.ts";
import { listFaults, openAs } from "./visits.ts";

const button = (page: Page, name: string | RegExp) => page.getByRole("button", { name });

async function newOwner() {
  const user = await service.newUser();
  const organizationId = await create(user.token, "organizations", { name: "Agency" });
  const { id } = await service.newProject(user.token, { organizationId, title: "House style" });
  return { ...user, organizationId, id };
}

describe("templates in the admin app", { skip }, () => {
  it("an owner makes a template, has another project follow it, and publishes all of its sites", async () => {
    const owner = await newOwner();
    const { token, organizationId } = owner;
    await create(token, "cookies", {
      projectId: owner.id,
      name: "banner",
      steps: [{ name: "welcome", layout: "welcome", title: "Hello", message: "<p>Cookies?</p>" }],
    });
    const site = await service.newProject(token, { organizationId, title: "Shop" });
    await using visit = await openAs(owner, `/projects/${owner.id}/settings`);
    const { page } = visit;
    await button(page, "Use as a template").click();
    await page.getByRole("dialog").getByRole("button", { name: "Use as a template" }).click();
    await page.getByText("The project is a template now.").waitFor();
    await page.getByLabel("Colors").check();
    await page.getByText("Saved.", { exact: true }).waitFor();
    assert.deepEqual(await findViolations(page), []);
    const template = await read(token, `/v1/vault/projects/${owner.id}`);
    assert.ok(template.openFields.includes("/colors") && template.openFields.includes("/DPO"));

    await page.goto(page.url().replace(owner.id, site.id));
    await page.getByLabel("Template", { exact: true }).selectOption({ label: "House style" });
    await button(page, "Follow a template").click();
    await page.getByText("This project follows the template “House style”.").waitFor();
    assert.equal((await only(token, "cookies", site.id)).name, "banner");

    await page.goto(page.url().replace(`${site.id}/settings`, owner.id));
    await page.getByRole("link", { name: "Shop" }).waitFor();
    await button(page, "Show what changes").click();
    await page.getByText(/^\d+ changes?$/).waitFor();
    assert.deepEqual(await findViolations(page), []);
    await button(page, "Publish all sites").click();
    await page.getByText("Publish 1 site?").waitFor();
    await page.getByRole("dialog").getByRole("button", { name: "Publish all sites" }).click();
    await page.getByText("1 published").waitFor();
    await page.getByText("up to date").waitFor();
    assert.deepEqual(await findViolations(page), []);
    assert.deepEqual(listFaults(visit), []);
    await page.goto(page.url().replace(`/projects/${owner.id}`, "/projects"));
    await page.getByText("Site of a template", { exact: true }).waitFor();
    await page.getByText("Template", { exact: true }).waitFor();
  });

  it("an editor of a template opens a field, which a site then changes and resets", async () => {
    const template = await newTemplate();
    const { token } = template;
    const id = await newTemplateSite(template);
    const cookies = await only(token, "cookies", id);
    {
      await using visit = await openAs(
        template,
        `/projects/${template.id}/cookies/${template.cookies}`,
      );
      const { page } = visit;
      await page.getByText("This is part of a template.").waitFor();
      await button(page, "Locked for sites: Title").click();
      await button(page, "Open for sites: Title").waitFor();
      await page.getByText("Unsaved changes").waitFor();
      await page.getByText("All changes saved").waitFor();
      assert.deepEqual(await findViolations(page), []);
    }
    const { openFields } = await read(token, `/v1/vault/cookies/${template.cookies}`);
    assert.deepEqual(openFields, [
      "/steps/welcome/message",
      "/settings/pages",
      "/steps/welcome/title",
    ]);
    await using visit = await openAs(template, `/projects/${id}/cookies/${cookies.id}`);
    const { page } = visit;
    await page.getByText("From the template “House style”.").waitFor();
    const title = page.getByLabel("Title", { exact: true });
    assert.equal(await title.isEditable(), true);
    assert.equal(await page.getByLabel("Line above the title").isEditable(), false);
    await page.getByText("Set by “House style”").first().waitFor();
    assert.equal(await button(page, "Add a step").count(), 0, "the list of steps is locked");
    await title.fill("Welcome");
    await page.getByText("Unsaved changes").waitFor();
    await page.getByText("All changes saved").waitFor();
    await button(page, "Use the template’s: Title").waitFor();
    await page.reload();
    await button(page, "Use the template’s: Title").click();
    await page.getByText("The field has the template’s value again.").waitFor();
    await button(page, "Use the template’s: Title").waitFor({ state: "detached" });
    assert.equal(await title.inputValue(), "Hello");
    assert.deepEqual(await findViolations(page), []);
    assert.deepEqual(listFaults(visit), []);
  });

  it("shows sites that are behind, and lists who is asked again", async () => {
    const template = await newTemplate();
    const { token } = template;
    await newTemplateSite(template, { title: "Shop" });
    await publishSites(template);
    await change(token, `processings/${template.processing}`, {
      personalDataTypes: ["email", "phone"],
    });
    await using visit = await openAs(template, `/projects/${template.id}`);
    const { page } = visit;
    const sites = page.getByRole("table", { name: "Sites" });
    await sites.getByRole("row", { name: /^Shop .*behind the template/ }).waitFor();
    await button(page, "Show what changes").click();
    await page.getByText("asks again", { exact: true }).first().click();
    await page.getByText(/phone/).first().waitFor();
    assert.deepEqual(await findViolations(page), []);
  });

  it("shows the outcome of a publication whose progress arrives slowly", async () => {
    const template = await newTemplate();
    await newTemplateSite(template);
    await using visit = await openAs(template, `/projects/${template.id}`);
    const { page } = visit;
    await page.route("**/templates/*/publications/*", async (route) => {
      await new Promise((done) => setTimeout(done, 1_500));
      await route.continue();
    });
    await button(page, "Publish all sites").click();
    await page.getByRole("dialog").getByRole("button", { name: "Publish all sites" }).click();
    await page.getByText("1 published").waitFor();
    await page.getByText("up to date").waitFor();
  });

  it("reports a part that could not be opened for sites, and allows a retry", async () => {
    const template = await newTemplate();
    await using visit = await openAs(template, `/projects/${template.id}/settings`);
    const { page } = visit;
    const colors = page.getByLabel("Colors");
    await colors.waitFor();
    const at = `**/v1/vault/projects/${template.id}`;
    await page.route(at, (route) =>
      route.request().method() === "PATCH" ? route.abort() : route.continue(),
    );
    await colors.click();
    await page.getByText("The service cannot be reached.").waitFor();
    assert.equal(await colors.isChecked(), false);
    await page.unroute(at);
    await colors.check();
    await page.getByText("Saved.", { exact: true }).waitFor();
    assert.ok(await colors.isChecked());
  });
});

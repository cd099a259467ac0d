import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { service } from "../../harness.ts";
import { findViolations } from "../widget/axe.ts";
import { skip } from "../widget/browser.ts";
import { create, newBannerSite } from "./editor-sites.ts";
import { listFaults, openAs } from "./visits.ts";

const newsletter = {
  title: "Our newsletter",
  language: "en",
  message: "<p>Once a month, what is new.</p>",
  purpose: "To write to you about new things.",
  buttons: [
    { text: "Yes, please", value: "accept" },
    { text: "No", value: "refuse" },
  ],
};

describe("the editors of consent and contract forms", { skip }, () => {
  it("a consent form is written, previewed, and fixed by the findings of the publish check", async () => {
    const { token, email, project } = await newBannerSite();
    await using visit = await openAs({ email }, `/projects/${project.id}/boxes`);
    const { page } = visit;
    await page.getByRole("button", { name: "New consent form" }).waitFor();
    // The list of projects, which sign-in leads to, reads consents.
    const before = visit.requests.length;
    await page.getByRole("button", { name: "New consent form" }).click();
    await page.getByLabel("Title", { exact: true }).fill("Our newsletter");
    await page
      .getByText(/does not say what the data is used for/)
      .first()
      .waitFor();
    await page.getByLabel("Purpose").fill("To write to you about new things.");
    await page.getByLabel("Retention period (months)").fill("24");
    await page.getByLabel("How to withdraw consent").fill("By the link in each letter.");
    await page.getByLabel("Personal data").fill("E-mail address\n\nFirst name\n");
    const buttons = page.getByRole("group", { name: "Buttons" });
    await buttons.getByRole("button", { name: "Add" }).click();
    await buttons.getByLabel("Text").fill("Yes, please");
    await buttons.getByLabel("Value").fill("accept");
    await page.getByRole("button", { name: "Add: Accepted" }).click();
    const screen = page.getByRole("group", { name: "Accepted" });
    await screen.getByLabel("Title").fill("Thank you");
    const preview = page.frameLocator("iframe.front:not([aria-hidden=true])").last();
    await preview.getByText("Our newsletter").waitFor();
    await preview.getByRole("button", { name: "Yes, please" }).press("Enter");
    await preview.getByText("Thank you").waitFor();
    await page.getByText("Unsaved changes").waitFor({ state: "detached" });
    await page.getByText("All changes saved").waitFor();
    const list = await service.fetch(`/v1/vault/processings?projectId=${project.id}`, { token });
    assert.partialDeepStrictEqual(list.body[0], {
      title: "Our newsletter",
      language: "en",
      storageDuration: 24,
      personalDataTypes: ["E-mail address", "First name"],
      buttons: [{ text: "Yes, please", value: "accept" }],
      confirmations: { accept: { title: "Thank you" } },
    });
    const findings = await service.fetch(`/v1/publish/projects/${project.id}/check`, { token });
    const own = findings.body.findings.filter(
      ({ path, severity }: Record<string, string>) =>
        path?.startsWith("/processings") && severity === "error",
    );
    assert.deepEqual(own, []);
    const recorded = visit.requests
      .slice(before)
      .filter((one) => /\/v1\/app\/(tickets|consents)/.test(one));
    assert.deepEqual(recorded, [], "the preview records nothing");
    assert.deepEqual(listFaults(visit), []);
  });

  it("brings a removed row and a removed confirmation back by an undo, and saves them", async () => {
    const { token, email, project } = await newBannerSite();
    const box = await create(token, "processings", {
      projectId: project.id,
      title: "Newsletter",
      language: "en",
      buttons: [{ text: "Yes, please", value: "accept" }, { text: "No, thanks" }],
      confirmations: { accept: { title: "Thank you" } },
    });
    await using visit = await openAs({ email }, `/projects/${project.id}/processings/${box.id}`);
    const { page } = visit;
    const undo = page.getByRole("button", { name: "Undo" });
    const buttons = page.getByRole("group", { name: "Buttons", exact: true });
    await buttons.getByRole("button", { name: "Remove" }).first().click();
    await undo.click();
    const screen = page.getByRole("group", { name: "Accepted" });
    await screen.getByRole("button", { name: "Remove" }).click();
    await screen.waitFor({ state: "detached" });
    await undo.click();
    await screen.waitFor();
    await page.getByText("Undone.").waitFor();
    await page.getByText("All changes saved").waitFor();
    const path = `/v1/vault/processings/${box.id}`;
    const { body } = await service.fetch(path, { token });
    assert.partialDeepStrictEqual(body, {
      buttons: [{ text: "Yes, please", value: "accept" }, { text: "No, thanks" }],
      confirmations: { accept: { title: "Thank you" } },
    });
  });

  it("a contract form previews its checkbox; an invalid document address is reported beside its field", async () => {
    const { token, email, project } = await newBannerSite();
    const box = await create(token, "contracts", {
      projectId: project.id,
      title: "Terms of sale",
      language: "en",
    });
    await using visit = await openAs({ email }, `/projects/${project.id}/contracts/${box.id}`);
    const { page } = visit;
    const preview = page.frameLocator("iframe.front:not([aria-hidden=true])").last();
    await preview.getByText("Terms of sale").waitFor();
    await page.getByText("“Terms of sale” has no document.").first().waitFor();
    await page.getByLabel("Document", { exact: true }).fill("ftp://shop.example/terms.pdf");
    await page.getByText("Not saved: the marked fields contain errors.").waitFor();
    const file = page.getByLabel("Document", { exact: true });
    assert.equal(await file.getAttribute("aria-invalid"), "true");
    await file.fill("https://shop.example/terms.pdf");
    await page.getByLabel("Required to submit the form").check();
    await preview.getByRole("checkbox").waitFor();
    await page.getByText("Unsaved changes").waitFor({ state: "detached" });
    await page.getByText("All changes saved").waitFor();
    const { body } = await service.fetch(`/v1/vault/contracts/${box.id}`, { token });
    assert.deepEqual([body.file, body.idRequired], ["https://shop.example/terms.pdf", true]);
    assert.deepEqual(listFaults(visit), []);
  });

  for (const colorScheme of ["light", "dark"] as const)
    it(`have no axe-core violations, ${colorScheme}`, async () => {
      const { token, email, project } = await newBannerSite();
      const { id } = await create(token, "processings", {
        ...newsletter,
        confirmations: { accept: { title: "Thank you" } },
        projectId: project.id,
      });
      const at = `/projects/${project.id}`;
      const options = { colorScheme, reducedMotion: "reduce" } as const;
      await using visit = await openAs({ email }, `${at}/boxes`, options);
      const { page } = visit;
      await page.getByRole("link", { name: "Our newsletter" }).waitFor();
      assert.deepEqual(await findViolations(page), [], "the list");
      await page.getByRole("link", { name: "Our newsletter" }).click();
      const preview = page.frameLocator("iframe.front").last();
      await preview.getByRole("button", { name: "Yes, please" }).waitFor();
      assert.equal(new URL(page.url()).pathname, `/admin${at}/processings/${id}`);
      assert.deepEqual(await findViolations(page), []);
      assert.deepEqual(listFaults(visit), []);
    });
});

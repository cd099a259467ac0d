import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { service } from "../../harness.ts";
import { findViolations } from "../widget/axe.ts";
import { skip } from "../widget/browser.ts";
import { listFaults, openAs, settle } from "./visits.ts";

const phone = { width: 390, height: 844 };

describe("cloning a project", { skip }, () => {
  it("creates a copy with its banners for another address, and opens it", async () => {
    const owner = await service.newUser();
    const { token } = owner;
    const { id } = await service.newProject(token, { title: "Shop" });
    const json = { projectId: id, name: "main", title: "Banner" };
    await service.fetch("/v1/vault/cookies", { token, json });
    const options = { colorScheme: "dark", viewport: phone } as const;
    await using visit = await openAs(owner, `/projects/${id}/settings`, options);
    const { page } = visit;
    await page.getByRole("button", { name: "Clone project" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Title of the copy").fill("Café");
    await dialog.getByLabel("Address of its website").fill("cafe.example");
    assert.deepEqual(await findViolations(page), []);
    await dialog.getByRole("button", { name: "Clone" }).click();
    await page.getByText("“Café” is created.").waitFor();
    await settle(visit);
    const copyId = new URL(page.url()).pathname.split("/").at(-1) ?? "";
    const { body } = await service.fetch(`/v1/vault/projects/${copyId}`, { token });
    assert.deepEqual([body.title, body.websiteURL], ["Café", "https://cafe.example"]);
    const banners = await service.fetch(`/v1/vault/cookies?projectId=${copyId}`, { token });
    assert.equal(banners.body[0].name, "main");
    assert.deepEqual(listFaults(visit), []);
  });
});

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { service } from "../../harness.ts";
import { newSite, publish } from "../../interface/site.ts";
import { findViolations } from "../widget/axe.ts";
import { skip } from "../widget/browser.ts";
import { listFaults, openAs, openShared } from "./visits.ts";

describe("the activity of a project", { skip }, () => {
  it("the activity shows edits of a person in a row as one sentence, with links and filters", async () => {
    const site = await newSite();
    const { body: me } = await service.fetch("/v1/auth/me", { token: site.token });
    for (const title of ["One", "Two", "Three"])
      await service.fetch(`/v1/vault/cookies/${site.cookies}`, {
        method: "PATCH",
        token: site.token,
        json: { title },
      });
    await publish(site);
    await using visit = await openShared(site, "viewer", `/projects/${site.id}/activity`);
    const { page } = visit;
    await page.getByRole("heading", { level: 2, name: "Today" }).waitFor();
    const sentence = page.getByRole("listitem").filter({ hasText: me.displayName }).last();
    const text = await sentence.innerText();
    assert.match(text, /edited the banner “Three” 3 times/);
    assert.match(text, /, published version 1, and made .+ a viewer\.$/);
    assert.equal(
      await page.getByRole("listitem").filter({ hasText: "edited the banner" }).count(),
      1,
    );
    const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
    await page.getByText(`your time zone, ${timeZone}`).waitFor();
    assert.deepEqual(await findViolations(page), []);
    await page.getByLabel("Kind").selectOption({ label: "Team" });
    await page.getByText(/made .+ a viewer/).waitFor();
    assert.equal(await page.getByText("edited the banner").count(), 0);
    await page.getByLabel("Kind").selectOption({ label: "Reviews" });
    await page.getByText("Nothing matches these filters.").waitFor();
    await page.getByLabel("Kind").selectOption({ label: "all" });
    await page.getByLabel("Person").selectOption({ label: me.displayName });
    await page.getByRole("link", { name: "the banner “Three”" }).first().click();
    await page.getByRole("heading", { level: 1 }).waitFor();
    assert.match(page.url(), new RegExp(`/cookies/${site.cookies}$`));
    assert.deepEqual(listFaults(visit), []);
  });

  it("pages to earlier acts", async () => {
    const site = await newSite();
    const email = (await service.fetch("/v1/auth/me", { token: site.token })).body.email as string;
    for (let n = 0; n < 120; n += 1)
      await service.fetch(`/v1/vault/cookies/${site.cookies}`, {
        method: "PATCH",
        token: site.token,
        json: { title: `Banner ${n}` },
      });
    await using visit = await openAs({ email }, `/projects/${site.id}/activity`);
    const { page } = visit;
    await page.getByText("edited the banner “Banner 119” 100 times").waitFor();
    await page.getByRole("button", { name: "Next" }).click();
    await page.getByText("edited the banner “Banner 119” 20 times").waitFor();
    await page.getByText("created the project").waitFor();
    await page.getByRole("button", { name: "Previous" }).click();
    await page.getByText("“Banner 119” 100 times").waitFor();
    await page.getByRole("button", { name: "Next" }).click();
    await page.getByText("created the project").waitFor();
    await page.getByLabel("Kind").selectOption("content");
    await page.getByText("“Banner 119” 100 times").waitFor();
    assert.equal(new URL(page.url()).search, "?kind=content");
    assert.deepEqual(listFaults(visit), []);
  });
});

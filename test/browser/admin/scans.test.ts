import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { service } from "../../harness.ts";
import { newSite, publish } from "../../interface/site.ts";
import { listen, sendPage } from "../scan/scanning.ts";
import { findViolations } from "../widget/axe.ts";
import { skip } from "../widget/browser.ts";
import { listFaults, openAs } from "./visits.ts";

describe("scans in the admin app", { skip }, () => {
  it("a scan shows its progress and findings, and adds the services that it found as vendors", async () => {
    await using website = await listen(
      "127.0.0.2",
      sendPage(`<!doctype html><title>Shop</title>
        <script>document.cookie = "_hjSessionUser_123=1; max-age=33955200"; navigator.plugins.length</script>
        <img src="http://127.0.0.3:9/pixel">`),
    );
    const site = await newSite();
    const project = `/v1/vault/projects/${site.id}`;
    const changed = await service.fetch(project, {
      method: "PATCH",
      token: site.token,
      json: { websiteURL: `http://127.0.0.2:${website.port}/`, scan: { pages: 1 } },
    });
    assert.equal(changed.status, 200, JSON.stringify(changed.body));
    await publish(site);
    const me = await service.fetch("/v1/auth/me", { token: site.token });
    const owner = { ...site, email: String(me.body.email) };
    await using visit = await openAs(owner, `/projects/${site.id}/scans`);
    const { page } = visit;
    await page.getByText("The website has not been scanned yet.").waitFor();

    await page.getByLabel("Repeat").selectOption({ label: "every week" });
    await page.getByLabel(/^Also after each publication/).check();
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Saved.").waitFor();
    const saved = await service.fetch(project, { token: site.token });
    assert.deepEqual(saved.body.scan, { pages: 1, everyDays: 7, afterPublication: true });

    await page.getByRole("button", { name: "Scan site" }).click();
    await page.getByRole("progressbar", { name: "Progress" }).waitFor();
    await page.getByText("Ran before consent").waitFor();
    const findings = page.locator(".card", { hasText: "Findings" }).first();
    await findings
      .getByRole("rowheader", { name: /^Hotjar/ })
      .first()
      .waitFor();
    await findings
      .getByRole("rowheader", { name: /^127\.0\.0\.3/ })
      .first()
      .waitFor();
    await findings.getByText(/^The site has no consent tool/).waitFor();
    const services = page.locator(".card", {
      has: page.getByRole("heading", { name: "Services" }),
    });
    await services.getByText("Hotjar Ltd").waitFor();
    await page.getByRole("cell", { name: "plugins" }).waitFor();
    assert.deepEqual(await findViolations(page), []);

    await page.getByLabel("Language of the texts").selectOption({ label: "French" });
    await page.getByText("Enregistre des sessions et montre où les visiteurs cliquent.").waitFor();
    await page.getByRole("button", { name: "Add 1 vendor" }).click();
    await page.getByText("1 vendor was added.").waitFor();
    // It is added once.
    await page.getByRole("button", { name: /^Add/ }).waitFor({ state: "detached" });
    const kept = await service.fetch("/v1/vault/vendors", { token: site.token });
    const [vendor] = kept.body;
    assert.deepEqual(
      [kept.body.length, vendor.projectId, vendor.name, vendor.type],
      [1, site.id, "hotjar", "Mesure d’audience"],
    );
    assert.deepEqual(vendor.storage, [
      {
        name: "_hjSessionUser_*",
        kind: "cookie",
        purpose: "Mesure l’utilisation du site.",
        duration: "13 mois",
        provider: "Hotjar Ltd",
      },
    ]);
    await page.getByRole("link", { name: "All scans" }).click();
    await page.getByRole("cell", { name: "on request" }).waitFor();
    assert.deepEqual(listFaults(visit), []);
  });
});

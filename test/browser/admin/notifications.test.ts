import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { paths } from "@avow/contract/urls";
import { service } from "../../harness.ts";
import { waitForNotifications } from "../../interface/notified.ts";
import { newSite, publish, share } from "../../interface/site.ts";
import { findViolations } from "../widget/axe.ts";
import { skip } from "../widget/browser.ts";
import { listFaults, openAs } from "./visits.ts";

describe("notifications", { skip }, () => {
  it("the bell counts them, the list marks them as read, and the account has the choices", async () => {
    const site = await newSite();
    const token = await share(site, "owner");
    const { email } = (await service.fetch("/v1/auth/me", { token })).body;
    await publish(site);
    await share(site, "viewer");
    await waitForNotifications(token, "publication-done");
    await waitForNotifications(token, "member-changed", 2);
    await using visit = await openAs({ email }, "/projects");
    const { page } = visit;
    await page.getByRole("link", { name: "Notifications, 3 unread" }).first().click();
    await page.getByRole("heading", { level: 1, name: "Notifications" }).waitFor();
    const items = page.getByRole("listitem").filter({ has: page.getByText("unread") });
    await items.nth(2).waitFor();
    assert.deepEqual(await findViolations(page), []);
    await items.first().getByRole("button", { name: "Mark as read" }).click();
    await page.getByRole("link", { name: "Notifications, 2 unread" }).first().waitFor();
    await page.getByLabel("Show", { exact: true }).selectOption("unread");
    const link = page.getByRole("link", { name: /published version 1 of “Shop/ });
    await link.click();
    await page.getByRole("heading", { level: 1, name: "Publish" }).waitFor();
    await page.getByRole("link", { name: "Notifications, 1 unread" }).first().click();
    await page.getByRole("button", { name: "Mark all as read" }).click();
    await page.getByRole("link", { name: "Notifications", exact: true }).first().waitFor();
    await page.getByLabel("Show", { exact: true }).selectOption("unread");
    await page.getByRole("heading", { name: "Nothing new" }).waitFor();
    await page.getByRole("link", { name: "Choose what you get" }).click();
    await page.getByLabel("E-mail: A scan found something new").selectOption("daily");
    await page.getByLabel(/^Weekly e-mail about Shop/).check();
    await page.getByLabel(/^Notifications of Shop/).uncheck();
    // A zone that only a newer browser knows.
    await page.evaluate("document.querySelector('[name=timeZone] option').value = 'Nowhere'");
    await page.getByLabel("Time zone").selectOption("Nowhere");
    await page.getByRole("button", { name: "Save choices" }).click();
    await page.getByText("This is not a time zone such as Europe/Paris.").waitFor();
    await page.getByLabel("Time zone").selectOption("Europe/Paris");
    assert.deepEqual(await findViolations(page), []);
    await page.getByRole("button", { name: "Save choices" }).click();
    await page.getByText("Choices saved.").waitFor();
    const { body } = await service.fetch(paths.notificationSettings, { token });
    assert.deepEqual(
      [body.timeZone, body.muted, body.weekly],
      ["Europe/Paris", [site.id], [site.id]],
    );
    assert.deepEqual(listFaults(visit), []);
  });

  it("keep a chosen time zone in a browser with another one, which the choices name", async () => {
    const user = await service.newUser();
    await using visit = await openAs(user, "/account", { timezoneId: "Asia/Tokyo" });
    const { page } = visit;
    const zone = page.getByLabel("Time zone");
    await page.getByText("Your browser is in Asia/Tokyo.").waitFor();
    assert.equal(await zone.locator("option").first().textContent(), "Asia/Tokyo");
    await zone.selectOption("Asia/Tokyo");
    await page.getByRole("button", { name: "Save choices" }).click();
    await page.getByText("Your browser is in").waitFor({ state: "detached" });
    await zone.selectOption("UTC");
    await page.getByRole("button", { name: "Save choices" }).click();
    await page.getByText("Your browser is in Asia/Tokyo.").waitFor();
    await page.reload();
    await page.getByText("Your browser is in Asia/Tokyo.").waitFor();
    assert.equal(await zone.inputValue(), "UTC");
    assert.deepEqual(listFaults(visit), []);
  });

  it("have pages of fifty", async () => {
    const site = await newSite();
    const token = await share(site, "owner");
    const { email } = (await service.fetch("/v1/auth/me", { token })).body;
    const other = await service.newUser();
    const at = `/v1/vault/projects/${site.id}/users`;
    for (let n = 0; n < 51; n += 1) {
      const json = { userId: other.id, roles: [n % 2 === 0 ? "viewer" : "editor"] };
      await service.fetch(at, { token: site.token, json });
    }
    await waitForNotifications(token, "member-changed", 51);
    await using visit = await openAs({ email }, "/notifications?show=unread");
    const { page } = visit;
    const items = page.locator(".notices li");
    await items.nth(49).waitFor();
    assert.equal(await items.count(), 50);
    await page.getByRole("button", { name: "Next" }).click();
    await items.nth(49).waitFor({ state: "detached" });
    await items.first().waitFor();
    assert.ok((await items.count()) <= 2);
    await page.getByLabel("Show", { exact: true }).selectOption("");
    await items.nth(49).waitFor();
    assert.equal(new URL(page.url()).search, "");
    assert.deepEqual(listFaults(visit), []);
  });

  it("are shown in French", async () => {
    const site = await newSite();
    const token = await share(site, "owner");
    const { email } = (await service.fetch("/v1/auth/me", { token })).body;
    await waitForNotifications(token, "member-changed");
    await using visit = await openAs({ email }, "/notifications", { locale: "fr-FR" });
    await visit.page.getByText(/a modifié l’équipe de « Shop »/).waitFor();
    assert.deepEqual(listFaults(visit), []);
  });
});
